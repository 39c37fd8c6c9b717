/**
 * Finds out why a room's connection fails. A browser only tells a page that it failed. So the page asks
 * over HTTP before it blames the network: if that is answered, something refuses the WebSocket, and the
 * status often tells what.
 */

/** The reason, for the player, and what an operator should check. */
export interface Refused {
  title: string;
  detail: string;
  operator: string;
}

/** How long an answer may take, in ms: after that the network is blamed. */
const PATIENCE = 4000;

const proxy =
  'a proxy in front must pass on the headers Upgrade, Connection and Host for /ws/, and the address of this page must be one that the server knows (FRONTEND_URL)';

async function statusOf(path: string, ask: typeof fetch): Promise<number | null> {
  try {
    return (
      await ask(path, {
        cache: 'no-store',
        redirect: 'manual',
        signal: AbortSignal.timeout(PATIENCE),
      })
    ).status;
  } catch {
    return null;
  }
}

/** null: the server cannot be reached at all. */
export async function whyRefused(room: string, ask: typeof fetch = fetch): Promise<Refused | null> {
  const api = await statusOf('/api/games', ask);
  if (api === null) return null;
  if (api >= 500)
    return {
      title: 'The server is not running',
      detail: `The proxy in front of it answers with error ${api}.`,
      operator: 'start the server, and check that the proxy passes requests to its port.',
    };
  if (api === 403 || api === 400 || api === 421)
    return {
      title: 'The server does not know this address',
      detail: `It refuses requests for ${location.host}. Ask its operator for the right address.`,
      operator: `${proxy}.`,
    };
  const socket = api === 429 ? 429 : await statusOf(`/ws/${room}`, ask);
  if (socket === 429)
    return {
      title: 'Too many connections',
      detail:
        'The server allows no more connections from your network. Close other tabs with games, or wait a minute.',
      operator:
        'MAX_SOCKETS_PER_ADDRESS limits connections per address. Behind a proxy, X-Forwarded-For must carry the visitor’s address.',
    };
  return {
    title: 'The game connection is refused',
    detail:
      'The server answers, but something refuses the connection that the game needs: a proxy, a filter in your network, or too many open tabs. Close other tabs with games, or try another network.',
    operator: `${proxy}; MAX_SOCKETS_PER_ADDRESS limits connections per address.`,
  };
}
