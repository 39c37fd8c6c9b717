/**
 * The actions of a seat that wait for the server's answer. None is lost, none is made twice: each goes out
 * under a rising id, and what a lost connection left without an answer goes out again under the same id, so
 * the server applies it once at most. What then comes too early, for the other players are not back yet, is
 * kept until they are, and goes out under a new id: a refused one is spent.
 */
import { Refusal } from '../protocol';
import type { ClientMessage, GameAction } from '../protocol';

export type Action = ClientMessage | GameAction;

interface Waiting {
  action: Action;
  /** The seat's, when the action was made. */
  token: string;
  /** The connection was lost since then. */
  late: boolean;
  resolve: () => void;
  reject: (reason: Refusal) => void;
}

export interface Line {
  /** An id that the seat has not used yet. */
  id: () => number;
  /** Sends now, or not at all where nothing would reach the game: `again` follows then. */
  send: (message: Action & { id: number }) => void;
}

export class Outbox {
  /** How many actions wait. */
  waiting = $state(0);
  private readonly sent = new Map<number, Waiting>();
  private readonly kept: Waiting[] = [];

  constructor(private readonly line: Line) {}

  /** Settles when the server has acknowledged the action (it is durable) or refused it. */
  post(action: Action, token: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.issue({ action, token, late: false, resolve, reject });
    });
  }

  /** The connection is back, and the seat with it. */
  again(token: string | undefined): void {
    for (const [id, one] of [...this.sent].sort(([a], [b]) => a - b)) {
      if (one.token === token) {
        one.late = true;
        this.line.send({ ...one.action, id });
      } else this.take(id)?.reject(changedHands());
    }
  }

  /** The game waits for nobody any more. */
  release(token: string | undefined): void {
    for (const one of this.kept.splice(0)) {
      if (one.token === token) this.issue(one);
      else one.reject(changedHands());
    }
    this.count();
  }

  acknowledged(id: number): void {
    this.take(id)?.resolve();
  }

  /** `early`: that passes by itself. What became of the action; null: none of these has the id. */
  refused(id: number, refusal: Refusal, early: boolean): 'kept' | 'given back' | null {
    const one = this.take(id);
    if (one === undefined) return null;
    if (one.late && early) {
      this.kept.push(one);
      this.count();
      return 'kept';
    }
    one.reject(refusal);
    return 'given back';
  }

  /** None of them will be answered. */
  abandon(why: string): void {
    const all = [...this.sent.values(), ...this.kept.splice(0)];
    this.sent.clear();
    this.count();
    for (const { reject } of all) reject(new Refusal('no_seat', why));
  }

  private issue(one: Waiting): void {
    const id = this.line.id();
    this.sent.set(id, one);
    this.count();
    this.line.send({ ...one.action, id });
  }

  private take(id: number): Waiting | undefined {
    const one = this.sent.get(id);
    this.sent.delete(id);
    this.count();
    return one;
  }

  private count(): void {
    this.waiting = this.sent.size + this.kept.length;
  }
}

const changedHands = (): Refusal => new Refusal('no_seat', 'The seat changed hands.');
