/** The name of the database in which the hall of this browser keeps its games; and all of it gone. */
export const databaseName = 'boardwalk-hall';

/** Settles when they are gone, or where there are none. A tab that plays gives them up at once. */
export function forgetGames(): Promise<void> {
  if (typeof indexedDB === 'undefined') return Promise.resolve();
  return new Promise((resolve) => {
    try {
      const request = indexedDB.deleteDatabase(databaseName);
      request.onsuccess = request.onerror = () => {
        resolve();
      };
    } catch {
      resolve(); // denied: nothing was kept
    }
  });
}
