import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { canonicalJson } from '../../src/core/base/canonical-json.ts';
import { AgUiAgent } from '../support/agui-agent.ts';
import { inProcessHelper } from '../support/in-process-helper.ts';
import { confirmingSettings, linkIn, ownAddress, PageOfQuestion, tokensOf } from '../support/mcp/confirming-server.ts';
import { calling, type ModelExchange, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { openSse } from '../support/sse-client.ts';
import { tokenSecret } from '../support/tokens.ts';

/** An action that takes any value, and keeps what it ran with where the tests see it. */
const plugin = `
const ran = (globalThis.exactlyRan ??= []);
export default {
  name: 'bank',
  actions: [
    { name: 'pay', description: 'Pays.', editable: true, parameters: { type: 'object', properties: { value: {} } },
      execute: (given) => { ran.push(given); return 'paid'; } },
  ],
};`;
const ran = ((globalThis as { exactlyRan?: unknown[] }).exactlyRan ??= []);

/** JSON texts of which some cannot be carried: as models, programs and people write them. */
const numbers = [
  '0',
  '-0',
  '-0.0',
  '1e999',
  '-1e999',
  '9007199254740991',
  '9007199254740993',
  '5e-324',
  '1e300',
  '0.1',
  '1E2',
];
const texts = ['"a"', '"\\ud800"', '"\\ud83d\\ude00"', '":\\"{"', '"\\u202e"', '"null"', 'null', 'true'];
const names = ['a', 'b', '__proto__', 'constructor', '', 'a\\ud800', '\\u0061'];
const { jsonText } = fc.letrec<{ jsonText: string }>((tie) => ({
  jsonText: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(...numbers, ...texts),
    fc.array(tie('jsonText'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
    fc
      .array(fc.tuple(fc.constantFrom(...names), tie('jsonText')), { maxLength: 3 })
      .map((members) => `{${members.map(([name, value]) => `"${name}":${value}`).join(',')}}`),
  ),
}));
/** The same texts for each run of the tests. */
const samples = fc.sample(jsonText, { numRuns: 40, seed: 7 }).map((text) => `{"value":${text}}`);
const written = [...numbers, ...texts].map((text) => `{"value":${text}}`);
const all = [...new Set([...written, '{"value":1,"value":9000}', '{"value":{"a":[1e999]}}', ...samples])];

const journalIn = (folder: string): readonly Record<string, unknown>[] => {
  const database = new DatabaseSync(join(folder, 'helper.db'), { readOnly: true });
  const rows = database
    .prepare('select arguments, arguments_hash as hash from confirmation order by requested_at')
    .all();
  database.close();
  return rows;
};

/** The journal has what ran, and its hash. */
function expectStored(folder: string): void {
  const stored = ran.map((value) => {
    const json = canonicalJson(value);
    return { arguments: json, hash: createHash('sha256').update(json).digest('hex') };
  });
  expect(journalIn(folder)).toEqual(stored);
}

async function bank(settings: object = {}, overrides: Readonly<Record<string, string>> = {}) {
  ran.length = 0;
  const folder = mkdtempSync(join(tmpdir(), 'helper-exact-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  /** Answers a message with a call that has the message as its arguments. */
  const obedient = async (exchange: ModelExchange): Promise<void> => {
    const messages = exchange.request.body['messages'] as readonly { role: string; content: string }[];
    const last = messages.at(-1);
    await (last?.role === 'user' ? calling({ name: 'pay', arguments: last.content }) : saying('Done.'))(exchange);
  };
  const server = await scriptedServer({
    ...{ scripts: [], otherwise: obedient, plugin, settings },
    overrides: { ...overrides, HELPER__STORAGE__TYPE: 'embedded', HELPER__STORAGE__PATH: folder },
  });
  return { ...server, folder };
}

const approve = (url: string, body: string): Promise<Response> =>
  fetch(`${url}/helper/approve`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

interface Shown {
  readonly name: string;
  readonly value: unknown;
}

const shownIn = (list: unknown): object =>
  Object.fromEntries((list as readonly Shown[]).map(({ name, value }) => [name, value]));

describe('arguments (contract/confirmations.md#what-is-shown)', () => {
  // proves service-2.6-46
  it('of the model run as box and journal have them, or the user is not asked', async () => {
    const { url, folder } = await bank();
    const shown: object[] = [];
    for (const text of all) {
      const stream = await openSse(`${url}/helper/chat`, { method: 'POST', body: { message: text } });
      const asked = await stream.next('confirmation').catch(() => undefined);
      if (asked !== undefined) {
        const { data } = asked;
        shown.push(shownIn(data?.['arguments']));
        expect((await approve(url, JSON.stringify({ actionId: data?.['actionId'], approved: true }))).status).toBe(200);
      }
      await stream.closed;
    }
    expect(ran).toEqual(shown);
    expect(ran.length).toBeGreaterThan(10);
    expect(all.length - ran.length).toBeGreaterThan(10);
    expectStored(folder);
  });

  // proves service-2.6-46
  it('of a program run as page and journal have them, or the user is not asked', async () => {
    const { url, folder } = await bank(confirmingSettings, await ownAddress());
    const { program, browser } = await tokensOf('ann');
    const call = (args: string): Promise<Response> =>
      fetch(`${url}/mcp`, {
        method: 'POST',
        headers: {
          ...{ authorization: `Bearer ${program}`, 'content-type': 'application/json' },
          ...{ accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' },
        },
        body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pay","arguments":${args}}}`,
      });
    const values: unknown[] = [];
    for (const args of all) {
      const link = linkIn(await (await call(args)).text());
      if (link === '') continue;
      const page = new PageOfQuestion(url, link, { token: browser });
      await page.answer('approve');
      await call(args);
      const parsed: unknown = JSON.parse(args);
      if (!values.some((value) => canonicalJson(value) === canonicalJson(parsed))) values.push(parsed);
    }
    expect(ran).toEqual(values);
    expect(ran.length).toBeGreaterThan(10);
    expectStored(folder);
  });

  // proves service-2.6-46, service-4.2-41
  it('that a user has changed run as they were sent, or are refused', async () => {
    const { url } = await bank();
    const told: unknown[] = [];
    for (const text of all) {
      const stream = await openSse(`${url}/helper/chat`, { method: 'POST', body: { message: '{"value":"first"}' } });
      const { data } = await stream.next('confirmation');
      const id = JSON.stringify(data?.['actionId']);
      const { status } = await approve(url, `{"actionId":${id},"approved":true,"arguments":${text}}`);
      if (status === 200) {
        told.push(JSON.parse(text));
      } else {
        expect(status).toBe(400);
        await approve(url, `{"actionId":${id},"approved":false}`);
      }
      await stream.closed;
    }
    expect(ran).toEqual(told);
    expect(ran.length).toBeGreaterThan(10);
  });

  // proves service-2.6-46
  it('that a program which has the assistant inside of it has changed to what JSON cannot carry are refused', async () => {
    ran.length = 0;
    const scripts = [calling({ name: 'pay', arguments: { value: 1 } }), saying('Done.')];
    const { helper } = await inProcessHelper({ scripts, plugin });
    const session = await helper.session();
    for await (const event of session.send('Pay')) {
      if (event.event !== 'ConfirmationRequested') continue;
      for (const value of [Infinity, -0, 2 ** 53, '\ud800', [NaN]]) {
        const changed = session.approve(event.actionId, true, { arguments: { value } });
        await expect(changed).rejects.toMatchObject({ code: 'invalid_request' });
      }
      await session.approve(event.actionId, true, { arguments: { value: 5e-324 } });
    }
    expect(ran).toEqual([{ value: 5e-324 }]);
  });

  // proves service-2.6-46
  it('that a client of AG-UI has changed to what JSON cannot carry answer nothing', async () => {
    const { url } = await bank({ auth: { jwt: { secret: tokenSecret } }, endpoints: { agui: { enabled: true } } });
    const { program: token } = await tokensOf('ann');
    const agent = new AgUiAgent(url, { token });
    const { interrupts } = await agent.ask('{"value":1}');
    const resume = (args: string): Promise<Response> =>
      fetch(`${url}/agui`, {
        method: 'POST',
        headers: {
          ...{ 'content-type': 'application/json', accept: 'text/event-stream' },
          authorization: `Bearer ${token}`,
        },
        body: JSON.stringify({
          threadId: agent.threadId,
          runId: crypto.randomUUID(),
          messages: [],
          resume: ['$'],
        }).replace(
          '"$"',
          `{"interruptId":"${interrupts[0]?.id ?? ''}","status":"resolved","payload":{"approved":true,"arguments":${args}}}`,
        ),
      });
    for (const value of ['1e999', '-0', '9007199254740993', '"\\ud800"', '{"a":1,"a":2}']) {
      expect((await resume(`{"value":${value}}`)).status).toBe(400);
    }
    await (await resume('{"value":[9007199254740991]}')).text();
    expect(ran).toEqual([{ value: [9_007_199_254_740_991] }]);
  });
});
