import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { failing, hangingAfter, type ModelScript } from '../support/scripted-model.ts';
import { scriptedConfiguration } from '../support/scripted-server.ts';
import { startServerProcess } from '../support/server-process.ts';
import { openSse, type SseConversation } from '../support/sse-client.ts';

type Line = Readonly<Record<string, unknown>>;

/** The server as a process of its own, with a model that does as the script says, and one turn that has begun. */
async function turnWith(script: ModelScript, settings: object = {}) {
  const { directory, configuration, model } = await scriptedConfiguration({ scripts: [script, script, script] });
  const config = join(directory, 'helper.yaml');
  const models = { main: { provider: 'openai', baseUrl: model.url, model: 'scripted', apiKey: 'none', ...settings } };
  // JSON is YAML.
  writeFileSync(config, JSON.stringify({ ...configuration, models, server: { shutdownGrace: '100ms' } }));
  const server = startServerProcess({ folder: join(directory, 'data'), config });
  const chat = await openSse(`${await server.url}/helper/chat`, { body: { message: 'Hello' } });
  return { server, chat };
}

/** Stops the process. Resolves with the lines of its log once it has ended. */
async function linesOf({ server }: Awaited<ReturnType<typeof turnWith>>): Promise<readonly Line[]> {
  expect(await server.kill('SIGTERM')).toBe(0);
  return server
    .printed()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line); // pino writes objects
}

async function failureOf(chat: SseConversation): Promise<Line> {
  const { data } = await chat.next('failure');
  await chat.next('end');
  return data as Line; // a failure has data
}

const faults = (lines: readonly Line[]): readonly Line[] =>
  lines.filter(({ level, code }) => (level === 'warn' || level === 'error') && !String(code).startsWith('HLP'));

describe('the log of a turn that fails (contract/operations.md#logs)', () => {
  it('names the end of the server in the line of the turn alone, without a warning or a stack', async () => {
    const turn = await turnWith(hangingAfter('Hel'));
    await turn.chat.next('text');
    const lines = await linesOf(turn);
    expect(lines.filter((line) => line['msg'] === 'turn ended')).toMatchObject([
      { level: 'info', code: 'server_draining' },
    ]);
    expect(faults(lines)).toEqual([]);
    expect(turn.server.printed()).not.toContain('stack');
  });

  it('has one line, without a stack, for a fault of the model that was met three times', async () => {
    const turn = await turnWith(failing(503), { maxRetries: 2 });
    await failureOf(turn.chat);
    const lines = await linesOf(turn);
    expect(faults(lines)).toMatchObject([{ code: 'model_unavailable' }]);
    expect(turn.server.printed().match(/the model answered 503/g)).toHaveLength(1);
    expect(turn.server.printed()).not.toContain('stack');
  });

  // proves configuration-3-50, configuration-4-14, configuration-4-15
  it.each([401, 403])('says of a key that is refused with %i what helps, which is not to try again', async (status) => {
    const turn = await turnWith(failing(status));
    expect(await failureOf(turn.chat)).toMatchObject({
      code: 'model_unavailable',
      retryable: false,
      message: 'The assistant is not set up correctly. Please contact the administrators of this application.',
    });
    const [fault, ...others] = faults(await linesOf(turn));
    expect(others).toEqual([]);
    expect(fault).toMatchObject({
      reason: `the model answered ${String(status)} (scripted): scripted ${String(status)} (the provider refuses the key or its rights)`,
      advice: 'The key is refused: check apiKey of models.main.',
      ...{ provider: 'openai', model: 'scripted', entry: 'models.main', status, providerCode: 'scripted' },
    });
  });
});
