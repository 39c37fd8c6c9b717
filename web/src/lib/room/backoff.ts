/**
 * How long to wait before the next try to connect: doubling from half a second
 * to ten, each time a random part of it, so that a thousand clients of a server
 * that comes back do not knock together.
 */
export function retryDelay(attempt: number, random: () => number): number {
  const ceiling = Math.min(10_000, 500 * 2 ** Math.min(attempt, 10));
  return Math.round(ceiling / 2 + random() * (ceiling / 2));
}
