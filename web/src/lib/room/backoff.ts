/**
 * How long to wait before the next attempt to connect: doubling from half a second to ten, with a random
 * part, so that a thousand clients of a restarted server do not connect at the same moment.
 */
export function retryDelay(attempt: number, random: () => number): number {
  const ceiling = Math.min(10_000, 500 * 2 ** Math.min(attempt, 10));
  return Math.round(ceiling / 2 + random() * (ceiling / 2));
}

/** The same where the room has moved to another server, which waits for its players. */
export function movedDelay(random: () => number): number {
  return Math.round(random() * 100);
}
