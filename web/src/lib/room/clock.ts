/**
 * The server's clock as seen from here. Each pong gives an estimate that is
 * wrong by half its round trip at most, so of the last few the quickest counts.
 * Two that cannot both be right mean that a clock was set (a machine that slept,
 * say): then what was known before is worth nothing.
 */
/** Both clocks tell whole milliseconds, and neither runs quite true. */
const SLACK = 25;

export class ServerClock {
  private samples: { trip: number; offset: number }[] = [];

  /** `sent`: our clock when the ping went out; `server`: the server's in between. */
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
