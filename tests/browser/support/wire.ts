/** Rooms created and played over the socket, for tests that are not about the pages that lead there. */
import type { Page } from '@playwright/test';

interface Message {
  type: string;
  [field: string]: unknown;
}

const settled = (page: Page, path: string, sends: object[], until: string): Promise<Message> =>
  page.evaluate(
    ([path, sends, until]) =>
      new Promise<Message>((resolve, reject) => {
        const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}${path}`);
        socket.onopen = () => {
          for (const message of sends) socket.send(JSON.stringify(message));
        };
        socket.onmessage = ({ data }) => {
          const message = JSON.parse(String(data)) as Message;
          const you = message['you'] as { token?: string } | undefined;
          const right = until === 'seat' ? you?.token != null : message.type === until;
          if (message.type === 'error') reject(new Error(String(message['message'])));
          if (!right) return;
          socket.close();
          resolve(message);
        };
      }),
    [path, sends, until] as const,
  );

/** A room with these settings. */
export async function roomOf(page: Page, game: string, config: object = {}): Promise<string> {
  const made = await page.request.post('/api/rooms', { data: { game, config } });
  return ((await made.json()) as { room_id: string }).room_id;
}

/** Gives the browser of this page a seat there, as the lobby would; then open the room. */
export async function seatIn(page: Page, room: string, role: string, name = ''): Promise<void> {
  const wish = { type: 'select_role', role, reserve: true, ...(name === '' ? {} : { name }) };
  const told = await settled(page, `/ws/${room}`, [wish], 'seat');
  const { token } = told['you'] as { token: string };
  await page.evaluate(
    ([room, role, token]) => {
      localStorage.setItem(`boardwalk:room:${room}`, JSON.stringify({ role, token }));
    },
    [room, role, token] as const,
  );
}
