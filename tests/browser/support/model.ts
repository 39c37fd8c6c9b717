/** A language model that answers as a test wants: the OpenAI-compatible endpoint that ORDERS_LLM_URL names. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Question {
  path: string;
  key: string | undefined;
  messages: { role: string; content: string }[];
}

/** Its answer: the content of its message (once released), or a whole body, or nothing for ever. */
export type Saying = { content: string; once?: Promise<void> } | { body: string } | 'nothing';

export class Model {
  saying: Saying = 'nothing';
  readonly questions: Question[] = [];

  private readonly http = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { messages } = JSON.parse(Buffer.concat(parts).toString()) as Pick<Question, 'messages'>;
      this.questions.push({ path: request.url ?? '', key: request.headers.authorization, messages });
      const { saying } = this;
      if (saying === 'nothing') return;
      const body =
        'body' in saying
          ? saying.body
          : JSON.stringify({ choices: [{ message: { role: 'assistant', content: saying.content } }] });
      const waits = 'once' in saying ? saying.once : undefined;
      void Promise.resolve(waits).then(() =>
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(body),
      );
    });
  });

  get url(): string {
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}/v1`;
  }

  static async open(): Promise<Model> {
    const model = new Model();
    model.http.listen(0, '127.0.0.1');
    await once(model.http, 'listening');
    return model;
  }

  close(): void {
    this.http.close();
    this.http.closeAllConnections();
  }
}
