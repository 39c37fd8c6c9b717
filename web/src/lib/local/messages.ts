/** Messages between a page and the worker with its hall. */
import type { ThinkTask } from './hall';
import type { Reply } from './house';

export type Asked = 'create' | 'state' | 'log' | 'replay' | 'share' | 'bring' | 'games';

export type ToHall =
  | { open: number; room: string; game: string }
  | { say: number; text: string }
  | { close: number }
  | { ask: number; kind: Asked; text: string }
  /** The clock stops, or goes on. */
  | { pause: boolean };

export type FromHall =
  | { text: string; conn: number }
  | { closed: number; code: number; reason: string }
  | { answer: number; reply: Reply }
  | { trouble: string }
  /** The module could not be loaded, so there is no hall. */
  | { broken: true };

export type ToThinker = { module: WebAssembly.Module } | { task: ThinkTask };
export interface FromThinker {
  work: number;
  answer: Uint8Array | null;
}

/** Another tab of this browser now has the room. */
export const TAKEN = 4001;

/** On this channel tabs announce which room they are about to read, or have replaced by a saved one. */
export const channelName = 'boardwalk-hall';
export interface Told {
  room: string;
  replaced?: true;
}

/** The close code of a tab's connections to a room that another tab has announced. */
export const closeCode = (of: string, { room, replaced }: Told): number =>
  of === room && replaced !== true ? TAKEN : 1012;
