/**
 * An estimate of the server's clock. The error of each pong is at most half its round trip, so of the last
 * few the fastest counts. If two contradict each other, a clock was set (for example after sleep), and
 * earlier ones are discarded.
 */
/** Both clocks have whole milliseconds, and both drift. */
const SLACK = 25;

export class ServerClock {
  private samples: { trip: number; offset: number }[] = [];

  /** `sent`: our time when the ping was sent; `server`: the server's time in between. */
  sample(sent: number, server: number, received = Date.now()): void {
    const trip = received - sent;
    if (trip < 0 || !Number.isFinite(server)) return;
    const offset = server - (sent + trip / 2);
    const agree = this.samples.filter(
      (one) => Math.abs(one.offset - offset) <= (one.trip + trip) / 2 + SLACK,
    );
    this.samples = [...agree.slice(-7), { trip, offset }];
  }

  now(): number {
    let best: { trip: number; offset: number } | undefined;
    for (const sample of this.samples) {
      if (best === undefined || sample.trip <= best.trip) best = sample;
    }
    return Date.now() + (best?.offset ?? 0);
  }
}
