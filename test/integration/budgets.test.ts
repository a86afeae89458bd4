import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../src/cli/run-command.ts';
import { RawHubClient } from '../support/hub-raw-client.ts';
import { allOf, inProcessHelper } from '../support/in-process-helper.ts';
import { bearer, hubOf } from '../support/remembering.ts';
import { completed, created, responseEvents, textDelta, webSearch } from '../support/responses-model.ts';
import {
  calling,
  chunk,
  cutAfter,
  failing,
  hangingAfter,
  type ModelScript,
  saying,
  startScriptedModel,
} from '../support/scripted-model.ts';
import { scriptedConfiguration } from '../support/scripted-server.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { openSse } from '../support/sse-client.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';
import { fakeContext } from '../unit/cli/fake-context.ts';

const ann = await makeToken({ sub: 'ann' });
const perUser = (tokens: number): object => ({ per: 'user', tokens, then: 'refuse' });

/** The number of tokens that a scripted reply reports. */
const ofReply = 17;

interface Place {
  /** The folder of the storage. */
  readonly folder: string;
  readonly model: Awaited<ReturnType<typeof startScriptedModel>>;
  /** Replaces settings of the file. */
  readonly write: (settings: object) => void;
  readonly start: () => ServerProcess;
  readonly run: (...words: string[]) => Promise<{ readonly code: number; readonly text: string }>;
}

/** The things that outlive the processes of a test: a model, a configuration and a folder. */
async function place(
  budgets: readonly object[],
  {
    scripts = [],
    models = {},
    ...settings
  }: { scripts?: readonly ModelScript[]; models?: object; [setting: string]: unknown } = {},
): Promise<Place> {
  const { directory, configuration, model } = await scriptedConfiguration({ scripts });
  const folder = mkdtempSync(join(tmpdir(), 'helper-budgets-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const config = join(directory, 'helper.yaml');
  const main = { provider: 'openai', baseUrl: model.url, model: 'scripted', apiKey: 'none', maxOutputTokens: 200 };
  const base = {
    ...configuration,
    models: { main: { ...main, maxRetries: 0 }, ...models },
    auth: { jwt: { secret: tokenSecret } },
    budgets,
    ...settings,
  };
  const write = (changed: object): void => writeFileSync(config, JSON.stringify({ ...base, ...changed }));
  write({});
  return {
    folder,
    model,
    write,
    start: () => startServerProcess({ folder, config }),
    run: async (...words) => {
      const context = fakeContext(directory, { HELPER__STORAGE__PATH: folder });
      const code = await runCommand([...words, '--config', config], context);
      return { code, text: context.written() + context.complained() };
    },
  };
}

function chat(url: string, token = ann) {
  return openSse(`${url}/helper/chat`, { body: { message: 'Hello' }, headers: bearer(token) });
}

/** The last event of one message. */
async function say(url: string, token = ann): Promise<Readonly<Record<string, unknown>>> {
  return (await (await chat(url, token)).next('end')).data ?? {};
}

/** The remaining budget that the server tells a connection. */
async function budgetOf(url: string, token?: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const query = token === undefined ? '' : `?access_token=${token}`;
  const hub = await RawHubClient.connect(`${url}/helper-hub${query}`, { events: false });
  onTestFinished(() => {
    hub.socket.terminate();
  });
  const { settings } = (await hub.event('Connected')) as {
    readonly settings: { readonly budget?: Readonly<Record<string, unknown>> };
  };
  return settings.budget;
}

const seen = (text: string): RegExpMatchArray => expect.stringContaining(text) as RegExpMatchArray;

describe('budgets of a whole server (contract/limits.md#budgets)', () => {
  // proves configuration-2-68, configuration-2-74, wire-11-04
  it('hold over a restart, and are told to whoever connects', async () => {
    const { start, model } = await place([perUser(30)]);
    const first = start();
    const url = await first.url;
    expect(await budgetOf(url, ann)).toMatchObject({ remaining: 30, unit: 'tokens' });
    expect(await say(url)).toMatchObject({ status: 'completed' });
    expect(await budgetOf(url, ann)).toEqual({
      remaining: 30 - ofReply,
      unit: 'tokens',
      resetsAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
    });
    expect(await say(url)).toMatchObject({ status: 'completed' });
    await first.kill('SIGTERM');
    const again = await start().url;
    expect(await say(again)).toMatchObject({ status: 'refused', code: 'budget_exceeded' });
    expect(await budgetOf(again, ann)).toMatchObject({ remaining: 0 });
    expect(await budgetOf(again, await makeToken({ sub: 'bob' }))).toMatchObject({ remaining: 30 });
    expect(model.requests).toHaveLength(2);
  });

  // proves configuration-2-68
  it('count a call that a SIGKILL has cut off with what it could take at most', async () => {
    const { start, model } = await place([perUser(200)], { scripts: [hangingAfter('Dear')] });
    const first = start();
    void chat(await first.url);
    await model.request(0);
    await first.kill('SIGKILL');
    const next = start();
    const url = await next.url;
    expect(await budgetOf(url, ann)).toMatchObject({ remaining: 0 });
    expect(await say(url)).toMatchObject({ status: 'refused', code: 'budget_exceeded' });
    expect(next.printed()).toContain('calls of an earlier process count in budgets with what they could take at most');
    expect(model.requests).toHaveLength(1);
  });

  // proves configuration-2-68
  it('count a turn that goes on after a SIGKILL for what both calls may have taken', async () => {
    const { start, model } = await place([perUser(100_000)], {
      scripts: [hangingAfter('Dear'), saying('Dear Ann')],
      server: { durableTurns: true },
    });
    const first = start();
    const turn = await chat(await first.url);
    await turn.next('text');
    await first.kill('SIGKILL');
    const url = await start().url;
    await model.request(1);
    const left = async (): Promise<number> => ((await budgetOf(url, ann)) as { readonly remaining: number }).remaining;
    // The first call costs its input and up to 200 tokens of output. The second call costs 17 tokens.
    await expect.poll(left).toBeLessThan(100_000 - 200 - ofReply);
  });

  // proves configuration-2-66
  it('are overspent by one call at most when 200 messages come at once, a SIGKILL cuts them off, and 200 come again', async () => {
    const { start, model } = await place([{ per: 'day', tokens: 60 * ofReply, then: 'refuse' }], {
      server: { maxTurnsPerUser: 200, maxConnectionsPerUser: 200 },
    });
    const server = start();
    /** How each of 200 messages ended. */
    const crowd = (url: string): Promise<readonly unknown[]> =>
      Promise.all(
        Array.from({ length: 200 }, async () => {
          const answer = await fetch(`${url}/helper/chat?message=Hello`, { headers: bearer(ann) })
            .then((response) => response.text())
            .catch(() => '{"status":"cut"}');
          return /"status":"(\w+)"/.exec(answer)?.[1];
        }),
      );
    const first = crowd(await server.url);
    await model.request(10);
    await server.kill('SIGKILL');
    await first;
    const second = await crowd(await start().url);
    // The crash may have used all up: what it cut off counts with what was held for it.
    expect(second.filter((status) => status !== 'completed' && status !== 'refused')).toEqual([]);
    expect(second).toContain('refused');
    expect(model.requests.length).toBeGreaterThan(10);
    expect(model.requests.length).toBeLessThanOrEqual(60);
  });

  // proves configuration-2-66
  it('are overspent by one call at most where the provider searches the web, however much it finds', async () => {
    const found = completed('r1');
    const usage = { input_tokens: 19_000, output_tokens: 10, total_tokens: 19_010 };
    const response = { ...(found['response'] as object), usage };
    const searching = responseEvents(created('r1'), ...webSearch('ws_1'), textDelta('Found.'), { ...found, response });
    const { helper, model } = await inProcessHelper({
      scripts: Array.from({ length: 10 }, () => searching),
      settings: { hostedTools: ['WebSearch'], budgets: [{ per: 'day', tokens: 20_000, then: 'refuse' }] },
    });
    const turns = Array.from({ length: 10 }, async () => {
      const session = await helper.session();
      return allOf(session.send('What is new?'));
    });
    const ends = (await Promise.all(turns)).map((events) => events.at(-1));
    expect(model.requests).toHaveLength(2);
    expect(ends.filter((end) => end?.event === 'TurnCompleted' && end.status === 'completed')).toHaveLength(2);
  });

  // proves configuration-2-71
  it('tell the log, the metrics and the user in the configured language of a refusal', async () => {
    const { start } = await place([perUser(10)], { language: 'German' });
    const server = start();
    const url = await server.url;
    await say(url);
    const refused = await chat(url);
    expect((await refused.next('failure')).data).toMatchObject({
      code: 'budget_exceeded',
      message: seen('Er kann wieder antworten ab: '),
      budget: { remaining: 0, unit: 'tokens', resetsAt: expect.any(String) as string },
    });
    await refused.next('end');
    const isTold = (line: string): boolean => line.includes('"reason":"budget"') && line.includes('"who":"id:ann"');
    await expect.poll(() => server.printed().split('\n').some(isTold)).toBe(true);
    const page = await (await fetch(`${url}/metrics`)).text();
    expect(page).toContain('helperagent_budget_refusals_total{per="user"} 1\n');
    for (const per of ['role', 'conversation', 'day']) {
      expect(page).toContain(`helperagent_budget_refusals_total{per="${per}"} 0\n`);
      expect(page).toContain(`helperagent_budget_downgrades_total{per="${per}"} 0\n`);
    }
  });

  // proves configuration-2-76
  it('are met by a turn that runs when they are changed by a reload', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const held: ModelScript = async (exchange) => {
      await promise;
      await calling({ name: 'find_orders', arguments: {} })(exchange);
    };
    const { start, run, write, model } = await place([perUser(100_000)], { scripts: [held] });
    const url = await start().url;
    const turn = await chat(url);
    await model.request(0);
    write({ budgets: [perUser(10)] });
    expect(await run('reload')).toMatchObject({ code: 0, text: seen('budgets') });
    resolve(undefined);
    expect((await turn.next('end')).data).toMatchObject({ status: 'failed', code: 'budget_exceeded' });
    expect(model.requests).toHaveLength(1);
    // The earlier spending still counts.
    write({ budgets: [perUser(ofReply + 1)] });
    await run('reload');
    expect(await budgetOf(url, ann)).toMatchObject({ remaining: 1 });
  });

  // proves configuration-2-77
  it('are not begun anew by erasing oneself, and name nobody in the storage', async () => {
    const { start, folder } = await place([perUser(10)]);
    const url = await start().url;
    await say(url);
    const erased = await fetch(`${url}/helper/user-data`, { method: 'DELETE', headers: bearer(ann) });
    expect(erased.status).toBe(200);
    expect(await say(url)).toMatchObject({ code: 'budget_exceeded' });
    const stored = new SqliteDatabase(join(folder, 'helper.db'), { readonly: true });
    onTestFinished(() => void stored.close());
    const accounts = stored.prepare('select account from budget_use').pluck().all();
    expect(accounts).toEqual([expect.stringMatching(/^\["user","","tokens",86400000,"","[\w-]{43}"\]$/)]);
  });

  // proves configuration-2-72
  it('have the cheapest of chatClient and its fallbacks answer once one that downgrades is used up', async () => {
    const cheap = await startScriptedModel({ otherwise: saying('Cheap.') });
    const dear = await startScriptedModel({ otherwise: saying('Dear.') });
    for (const one of [cheap, dear]) onTestFinished(() => one.close());
    const entry = (url: string, model: string) => ({
      provider: 'openai',
      baseUrl: url,
      model,
      apiKey: 'none',
      maxOutputTokens: 50,
    });
    const { start } = await place([{ per: 'user', cost: 0.001, then: 'downgrade' }], {
      chatClient: 'dear',
      models: { dear: { ...entry(dear.url, 'dear'), fallbacks: ['cheap'] }, cheap: entry(cheap.url, 'cheap') },
      modelPricing: { dear: { inputPer1M: 100, outputPer1M: 100 }, cheap: { inputPer1M: 1, outputPer1M: 1 } },
    });
    const url = await start().url;
    const said: unknown[] = [];
    for (let turn = 0; turn < 3; turn += 1) said.push(await say(url));
    expect(said).toMatchObject([
      { text: 'Dear.' },
      { text: 'Cheap.', usage: { model: 'cheap' } },
      { text: 'Cheap.', usage: { model: 'cheap' } },
    ]);
  });

  // proves configuration-2-75
  it('count the small questions of a message, and let none be asked once they are used up', async () => {
    const small = await startScriptedModel({ otherwise: saying('{"safe": true}') });
    onTestFinished(() => small.close());
    const { start, model } = await place([perUser(ofReply + 1)], {
      models: { small: { provider: 'openai', baseUrl: small.url, model: 'small', apiKey: 'none' } },
      classifierChatClient: 'small',
      enableSafetyCheck: true,
    });
    const url = await start().url;
    expect(await say(url)).toMatchObject({ status: 'completed' });
    expect(await budgetOf(url, ann)).toMatchObject({ remaining: 0 });
    expect(await say(url)).toMatchObject({ code: 'budget_exceeded' });
    expect([small.requests.length, model.requests.length]).toEqual([1, 1]);
  });

  // proves configuration-2-75
  it('count the questions whether a reply is true', async () => {
    const small = await startScriptedModel({ otherwise: saying('{"answer": false}') });
    onTestFinished(() => small.close());
    const { start } = await place([perUser(1_000)], {
      models: { small: { provider: 'openai', baseUrl: small.url, model: 'small', apiKey: 'none' } },
      classifierChatClient: 'small',
      requireActionForChangeRequests: true,
      requireLookupForRecordQuestions: true,
    });
    const url = await start().url;
    expect(await say(url)).toMatchObject({ status: 'completed' });
    expect(small.requests).toHaveLength(2);
    expect(await budgetOf(url, ann)).toMatchObject({ remaining: 1_000 - 3 * ofReply });
  });

  // proves configuration-2-75
  it('count what is looked for after a turn: facts, and a title', async () => {
    const small = await startScriptedModel({ otherwise: saying('{}') });
    onTestFinished(() => small.close());
    const { start } = await place([perUser(1_000)], {
      models: { small: { provider: 'openai', baseUrl: small.url, model: 'small', apiKey: 'none' } },
      classifierChatClient: 'small',
      useMemoryContext: true,
      chatHistoryProvider: 'storage',
    });
    const url = await start().url;
    const hub = await hubOf(url, ann);
    await hub.invoke('SendMessage', 'My name is Ann.');
    await small.request(1);
    await expect.poll(() => budgetOf(url, ann)).toMatchObject({ remaining: 1_000 - 3 * ofReply });
  });

  // proves configuration-2-69
  it.each(['breaks off', 'is stopped'])(
    'count the arguments of a call that the model has written when its reply %s',
    async (how) => {
      const long = 'x'.repeat(3_000);
      const writing: ModelScript = async (exchange) => {
        const named = { index: 0, id: 'call_1', type: 'function', function: { name: 'order', arguments: '' } };
        await exchange.send(chunk({ tool_calls: [named] }));
        await exchange.send(chunk({ tool_calls: [{ index: 0, function: { arguments: `{"text": "${long}` } }] }));
        // The user sees this text once the arguments have been read.
        await exchange.send(chunk({ content: 'Well' }));
        if (how === 'breaks off') await cutAfter('')(exchange);
      };
      const { start } = await place([perUser(100_000)], { scripts: [writing], server: { disconnectGrace: '0s' } });
      const url = await start().url;
      const stream = await chat(url);
      await stream.next('text');
      stream.close();
      const spent = async (): Promise<number> => 100_000 - Number((await budgetOf(url, ann))?.['remaining']);
      await expect.poll(spent).toBeGreaterThan(0);
      expect(await spent()).toBeGreaterThan(long.length / 3);
    },
  );

  // proves configuration-2-69
  it('count nothing of a model that is away', async () => {
    const { start } = await place([perUser(10)], { scripts: [failing(500)] });
    const url = await start().url;
    expect(await say(url)).toMatchObject({ code: 'model_unavailable' });
    expect(await budgetOf(url, ann)).toMatchObject({ remaining: 10 });
  });

  // proves configuration-2-60
  it('are not there unless they are configured', async () => {
    const { start } = await place([]);
    const url = await start().url;
    expect(await budgetOf(url, ann)).toBeUndefined();
  });
});

describe('what is wrong with budgets (contract/limits.md#budgets)', () => {
  const price = { inputPer1M: 1, outputPer1M: 1 };
  const check = async (budget: object, settings: Readonly<Record<string, unknown>> = {}) => {
    const { run } = await place([budget], settings);
    return run('check');
  };

  it.each([
    // proves configuration-2-60
    ['neither tokens nor cost', { per: 'user', then: 'refuse' }, 'budgets[0]: needs tokens or cost'],
    // proves configuration-2-60
    ['both', { per: 'user', tokens: 1, cost: 1, then: 'refuse' }, 'budgets[0].cost: has tokens already'],
    // proves configuration-2-62
    ['per: role without a role', { per: 'role', tokens: 1, then: 'refuse' }, 'budgets[0]: needs role'],
    // proves configuration-2-64
    ['a window of a day', { per: 'day', tokens: 1, window: '7d', then: 'refuse' }, 'budgets[0].window: has no effect'],
    // proves configuration-2-60
    ['no way out', { per: 'user', tokens: 1 }, 'budgets[0].then: missing'],
    // proves configuration-2-61
    [
      'a cost without prices',
      { per: 'user', cost: 1, then: 'refuse' },
      'budgets[0].cost: needs the price of every model that may be asked; modelPricing has none of scripted',
    ],
    // proves configuration-2-73
    [
      'nothing to go down to',
      { per: 'user', tokens: 1, then: 'downgrade' },
      'budgets[0].then: there is nothing to go down to',
    ],
  ])('is a fault: %s', async (_what, budget, message) => {
    expect(await check(budget)).toMatchObject({ code: 78, text: seen(message) });
  });

  // proves configuration-2-73
  it('is a fault: nobody knows which model is the cheapest', async () => {
    const models = {
      main: { provider: 'openai', model: 'one', apiKey: 'none', fallbacks: ['other'] },
      other: { provider: 'openai', model: 'two', apiKey: 'none' },
    };
    const budget = { per: 'user', tokens: 1, then: 'downgrade' };
    expect(await check(budget, { models, modelPricing: { one: price } })).toMatchObject({
      code: 78,
      text: seen('needs to know which model is the cheapest; modelPricing has none of two'),
    });
    expect(await check(budget, { models, modelPricing: { one: price, two: price } })).toMatchObject({
      code: 0,
      text: seen('HLP1097'),
    });
  });
});
