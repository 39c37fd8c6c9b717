/**
 * The server's clock as seen from here. Each pong gives an estimate that is
 * wrong by half its round trip at most, so of the last few the quickest counts.
 */
export class ServerClock {
  private samples: { trip: number; offset: number }[] = [];

  /** `sent`: our clock when the ping went out; `server`: the server's in between. */
  sample(sent: number, server: number, received = Date.now()): void {
    const trip = received - sent;
    if (trip < 0 || !Number.isFinite(server)) return;
    this.samples = [...this.samples.slice(-7), { trip, offset: server - (sent + trip / 2) }];
  }

  now(): number {
    let best: { trip: number; offset: number } | undefined;
    for (const sample of this.samples) {
      if (best === undefined || sample.trip <= best.trip) best = sample;
    }
    return Date.now() + (best?.offset ?? 0);
  }
}
