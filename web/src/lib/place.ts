/**
 * Where a room or a replay is: on the server, or only in this browser (lib/local). Within the client the
 * ids of this browser start with `local-`, so that a room's name is all that code needs.
 */
const mark = 'local-';

export const isLocal = (name: string): boolean => name.startsWith(mark);

/** The name of a room or a replay of this browser. */
export const localName = (id: string): string => mark + id;

export const bareId = (name: string): string => (isLocal(name) ? name.slice(mark.length) : name);

/** The name of something in the same place as `other`. */
export const beside = (other: string, id: string): string => (isLocal(other) ? localName(id) : id);

export const roomPath = (room: string): string =>
  isLocal(room) ? `/local/${bareId(room)}` : `/game/${room}`;

export const replayPath = (replay: string): string =>
  isLocal(replay) ? `/local/replay/${bareId(replay)}` : `/replay/${replay}`;
