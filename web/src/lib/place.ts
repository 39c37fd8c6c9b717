/**
 * Where a room or a replay is: at the server, or in this browser alone (lib/local). Within the client one of this
 * browser has `local-` before its id, so that whoever has the name of a room needs to know nothing else of it.
 */
const mark = 'local-';

export const isLocal = (name: string): boolean => name.startsWith(mark);

/** The name of a room or a replay of this browser. */
export const localName = (id: string): string => mark + id;

export const bareId = (name: string): string => (isLocal(name) ? name.slice(mark.length) : name);

/** The name of something that stands beside `other`. */
export const beside = (other: string, id: string): string => (isLocal(other) ? localName(id) : id);

export const roomPath = (room: string): string =>
  isLocal(room) ? `/local/${bareId(room)}` : `/game/${room}`;

export const replayPath = (replay: string): string =>
  isLocal(replay) ? `/local/replay/${bareId(replay)}` : `/replay/${replay}`;
