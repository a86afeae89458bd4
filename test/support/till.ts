import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { calling, type ModelScript, saying } from './scripted-model.ts';
import { scriptedServer } from './scripted-server.ts';
import { openSse } from './sse-client.ts';
import { makeToken, tokenSecret } from './tokens.ts';

/** The cookie that signs Ann in. */
export const tillCookie = { name: 'till_token', value: await makeToken({ sub: 'ann' }) };

/** A server on which a cookie may sign users in. A question of Ann's turn waits for her answer. */
export interface Till {
  readonly url: string;
  /** The ids of the question. */
  readonly ids: { readonly actionId: string; readonly turnId: string };
  /** The actions that have really run, with the user of each. */
  readonly done: () => string;
  /** Expects that nothing has run, that no turn was started, and that the question is still open. Ann then answers it. */
  readonly expectUntouched: () => Promise<void>;
}

/** Calls the action that the message names, and says that it is done. */
const shopkeeper: ModelScript = (exchange) => {
  const messages = exchange.request.body['messages'] as readonly { role: string; content: string }[]; // OpenAI's protocol has this shape
  const last = messages.at(-1);
  if (last?.role === 'tool') return saying('Done.')(exchange);
  return calling({ name: last?.content.includes('buy') === true ? 'buy' : 'look', arguments: {} })(exchange);
};

/** Opens the till. `cors` becomes `cors.default` of its settings. */
export async function openTill(cors: object = { origins: ['https://shop.example.com'] }): Promise<Till> {
  const directory = mkdtempSync(join(tmpdir(), 'helper-till-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'done');
  writeFileSync(file, '');
  const server = await scriptedServer({
    scripts: Array.from({ length: 8 }, () => shopkeeper),
    plugin: `
      import { appendFileSync } from 'node:fs';
      const execute = (name) => (_arguments, { user }) => appendFileSync(${JSON.stringify(file)}, name + ' by ' + user.id + ';');
      const parameters = { type: 'object', properties: {} };
      export default {
        name: 'till',
        actions: [
          { name: 'buy', description: 'Buys.', parameters, execute: execute('buy') },
          { name: 'look', description: 'Looks.', parameters, readOnly: true, execute: execute('look') },
        ],
      };`,
    settings: {
      auth: { jwt: { secret: tokenSecret, cookie: tillCookie.name } },
      cors: { default: cors },
    },
  });
  const ann = { authorization: `Bearer ${tillCookie.value}` };
  const turn = await openSse(`${server.url}/helper/chat`, { body: { message: 'buy' }, headers: ann });
  const { data } = await turn.next('confirmation');
  const ids = { actionId: String(data?.['actionId']), turnId: String(data?.['turnId']) };
  const done = (): string => readFileSync(file, 'utf8');
  return {
    url: server.url,
    ids,
    done,
    async expectUntouched() {
      expect(server.model.requests).toHaveLength(1);
      expect(done()).toBe('');
      const { status } = await fetch(`${server.url}/helper/approve`, {
        method: 'POST',
        headers: { ...ann, 'content-type': 'application/json' },
        body: JSON.stringify({ actionId: ids.actionId, approved: true }),
      });
      expect(status).toBe(200);
      await turn.closed;
      expect(done()).toBe('buy by ann;');
    },
  };
}
