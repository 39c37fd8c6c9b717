/**
 * The actions of a seat that wait for the server's answer. Each is delivered exactly once: it is sent under
 * an increasing id, and if the connection is lost before the answer, it is sent again under the same id, so
 * the server applies it at most once. If it then comes too early, because the other players are not back
 * yet, it is kept until they are, and is sent under a new id, because the old one was refused.
 */
import { Refusal } from '../protocol';
import type { ClientMessage, GameAction } from '../protocol';

export type Action = ClientMessage | GameAction;

interface Waiting {
  action: Action;
  /** The seat at the time of the action. */
  token: string;
  /** The connection was lost since then. */
  late: boolean;
  resolve: () => void;
  reject: (reason: Refusal) => void;
}

export interface Line {
  /** An id that the seat has not used yet. */
  id: () => number;
  /** Sends now, or not at all if nothing would reach the game: `again` follows then. */
  send: (message: Action & { id: number }) => void;
}

export class Outbox {
  /** Number of waiting actions. */
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

  /** The game no longer waits for anybody. */
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

  /** The result of an action; `early`: the reason passes by itself. null: none of these has the id. */
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
