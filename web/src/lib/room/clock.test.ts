import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ServerClock } from './clock';

beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime(100_000);
});
afterEach(() => {
  vi.useRealTimers();
});

describe("the server's clock", () => {
  it('follows the quickest answer', () => {
    const clock = new ServerClock();
    clock.sample(100_000, 150_100, 100_400);
    clock.sample(101_000, 151_010, 101_020);
    clock.sample(102_000, 152_200, 102_300);
    expect(clock.now()).toBe(150_000);
  });

  it('is read again after one of the clocks was set', () => {
    const clock = new ServerClock();
    for (let i = 0; i < 8; i += 1) clock.sample(100_000, 100_001, 100_002);
    expect(clock.now()).toBe(100_000);
    vi.setSystemTime(90_000); // ours was set back while the machine slept
    clock.sample(90_000, 150_100, 90_200);
    expect(clock.now()).toBe(150_000);
  });
});
