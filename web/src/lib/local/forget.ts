/** The name of the database of this browser's hall, and how to delete it. */
export const databaseName = 'boardwalk-hall';

/** Settles when the games are deleted, or if there were none. A tab that is playing closes them at once. */
export function forgetGames(): Promise<void> {
  if (typeof indexedDB === 'undefined') return Promise.resolve();
  return new Promise((resolve) => {
    try {
      const request = indexedDB.deleteDatabase(databaseName);
      request.onsuccess = request.onerror = () => {
        resolve();
      };
    } catch {
      resolve(); // denied: nothing was stored
    }
  });
}
