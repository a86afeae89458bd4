import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TaskState } from '@a2a-js/sdk';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadSettings } from '../../src/config/load-settings.ts';
import { StartupFaults } from '../../src/core/errors/startup-fault.ts';
import { runCommand } from '../../src/cli/run-command.ts';
import { officialClient } from '../support/hub-official-client.ts';
import { realServer } from '../support/real-server.ts';
import { type RemoteServer, startRemoteAgent } from '../support/remote-agent-server.ts';
import { startServerProcess } from '../support/server-process.ts';
import { openSse, type SseConversation } from '../support/sse-client.ts';
import { fakeContext } from '../unit/cli/fake-context.ts';

const deskPlugin = `
let closed = 0;
export default {
  name: 'desk',
  actions: [{
    name: 'close_case', description: 'Closes a case.',
    parameters: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
    execute: ({ id }) => ({ id, closed: (closed += 1) }),
  }],
  hooks: { inputGuardrail: (text) => !text.includes('secret') },
  agents: {
    desk: {
      async *stream(messages, context) {
        const last = messages.at(-1);
        if (last.role === 'tool') return yield 'Told: ' + last.text;
        if (last.text.includes('fail')) { yield 'Half '; throw new Error('words of ' + last.text); }
        if (last.text.includes('wait')) {
          yield 'Waiting.';
          await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
          console.error('the desk was stopped');
          return;
        }
        if (last.text.includes('close')) yield { toolCall: { name: 'close_case', arguments: { id: 7 } } };
        else if (last.text.includes('odd')) yield { surprise: true };
        else yield* ['Turn ', String(messages.length), ' of ', context.conversationId === '' ? '?' : 'one conversation.'];
        yield { usage: { inputTokens: 11, outputTokens: 5 } };
      },
    },
  },
};`;

/** A folder with a configuration, and with a plugin where one is given. It goes with the test. */
function folderWith(
  settings: object,
  plugin?: string,
): { readonly folder: string; readonly config: string; readonly write: (changed: object) => void } {
  const folder = mkdtempSync(join(tmpdir(), 'helper-answering-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const config = join(folder, 'helper.yaml');
  if (plugin !== undefined) {
    mkdirSync(join(folder, 'plugins'));
    writeFileSync(join(folder, 'plugins', 'desk.plugin.js'), plugin);
  }
  const actions = plugin === undefined ? 'none' : { plugins: ['plugins'] };
  const write = (changed: object): void => {
    writeFileSync(config, JSON.stringify({ appName: 'Shop', actions, ...changed }));
  };
  write(settings);
  return { folder, config, write };
}

async function serve(settings: object, plugin?: string) {
  const { config } = folderWith(settings, plugin);
  const { server, url } = await realServer({}, config);
  return { url, server };
}

const say = (url: string, message: string): Promise<SseConversation> =>
  openSse(`${url}/helper/chat?message=${encodeURIComponent(message)}`);

async function answerOf(url: string, message: string): Promise<{ text: string; end: unknown }> {
  const stream = await say(url, message);
  await stream.closed;
  return { text: stream.text(), end: stream.frames.find(({ event }) => event === 'end')?.data };
}

/** The text of each message that an agent was sent. */
const sentTo = ({ calls }: RemoteServer): readonly Record<string, unknown>[] =>
  calls.flatMap(({ params }) => ('message' in params ? [params['message'] as Record<string, unknown>] : [])); // The SDK sends this shape.

describe('an agent of a plugin that answers (contract/agents.md#an-agent-that-answers)', () => {
  // proves configuration-6-84
  it('answers over SSE and over the hub, and keeps the conversation of a connection', async () => {
    const { url } = await serve({ agent: { plugin: 'desk' } }, deskPlugin);
    await expect(answerOf(url, 'hello')).resolves.toMatchObject({
      text: 'Turn 1 of one conversation.',
      end: { status: 'completed', usage: { inputTokens: 11, outputTokens: 5, model: 'desk' } },
    });
    const { connection, events, faults } = await officialClient(`${url}/helper-hub`);
    for (const message of ['hello', 'again']) await connection.invoke('SendMessage', message);
    await expect.poll(() => events.filter(({ name }) => name === 'TurnCompleted').length).toBe(2);
    const said = events.flatMap(({ name, fields }) => (name === 'TextDelta' ? [fields['text']] : [])).join('');
    expect(said).toBe('Turn 1 of one conversation.Turn 3 of one conversation.');
    expect(faults()).toEqual([]);
  });

  // proves configuration-6-93
  it('calls actions through the same door: the user is asked first, and then it goes on', async () => {
    const { url } = await serve({ agent: { plugin: 'desk' } }, deskPlugin);
    const stream = await say(url, 'close it');
    const { data } = await stream.next('confirmation');
    const approved = await fetch(`${url}/helper/approve`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ actionId: data?.['actionId'], approved: true }),
    });
    expect(approved.status).toBe(200);
    await stream.closed;
    expect(stream.text()).toContain('Told: [succeeded]');
    expect(stream.text()).toContain('"closed":1');
  });

  // proves configuration-6-84
  it.each([
    ['fails in the middle', 'please fail', 'Half '],
    ['says what is no piece of an answer', 'something odd', ''],
  ])('that %s fails the turn, and what it said stays', async (_what, message, text) => {
    const { url } = await serve({ agent: { plugin: 'desk' } }, deskPlugin);
    const answer = await answerOf(url, message);
    expect(answer).toMatchObject({ text, end: { status: 'failed', code: 'model_unavailable' } });
    expect(JSON.stringify(answer)).not.toContain('words of');
  });

  // proves configuration-6-84
  it('is told of a Stop, and the turn ends at once', async () => {
    const { url } = await serve({ agent: { plugin: 'desk' } }, deskPlugin);
    const stream = await say(url, 'wait');
    await stream.next('text');
    await fetch(`${url}/helper/cancel`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ turnId: String(stream.headers['x-turn-id']) }),
    });
    await stream.closed;
    expect(stream.frames.find(({ event }) => event === 'end')?.data).toMatchObject({ status: 'stopped' });
    expect(stream.text()).toBe('Waiting.');
  });
});

describe('an agent on another server that answers (contract/agents.md#an-agent-that-answers)', () => {
  const echo = (): ReturnType<typeof startRemoteAgent> =>
    startRemoteAgent({ work: ({ message, text }) => message(`Heard: ${text}`) });

  // proves configuration-6-88
  it('is sent the newest message alone, with its headers, and its reply is shown', async () => {
    const remote = await echo();
    const { url } = await serve({ agent: { a2a: remote.url, headers: { Authorization: 'Bearer w' } } });
    const { connection, events } = await officialClient(`${url}/helper-hub`);
    for (const message of ['one', 'two']) await connection.invoke('SendMessage', message);
    await expect.poll(() => events.filter(({ name }) => name === 'TurnCompleted').length).toBe(2);
    const said = events.flatMap(({ name, fields }) => (name === 'TextDelta' ? [fields['text']] : [])).join('');
    expect(said).toBe('Heard: oneHeard: two');
    expect(sentTo(remote).map(({ parts }) => parts)).toEqual([
      [expect.objectContaining({ text: 'one' })],
      [expect.objectContaining({ text: 'two' })],
    ]);
    expect(new Set(remote.calls.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer w']));
    expect(events.filter(({ name }) => name === 'RemoteAgentStatusChanged').at(-1)?.fields['agents']).toMatchObject([
      { name: new URL(remote.url).host, status: 'connected' },
    ]);
  });

  // proves configuration-6-90
  it('goes on in the same conversation, and in a task that waits, also after a restart of the process', async () => {
    const remote = await startRemoteAgent({
      work: ({ begin, status, isNewTask, text }) => {
        if (isNewTask) begin();
        if (isNewTask) status(TaskState.TASK_STATE_INPUT_REQUIRED, { text: 'Which article?' });
        else status(TaskState.TASK_STATE_COMPLETED, { text: `12 ${text}` });
      },
    });
    const { folder, config } = folderWith({ agent: { a2a: remote.url } });
    const first = startServerProcess({ folder: join(folder, 'data'), config });
    const before = await officialClient(`${await first.url}/helper-hub`);
    await before.connection.invoke('SendMessage', 'How many?');
    await expect.poll(() => before.events.map(({ name }) => name)).toContain('TurnCompleted');
    const session = (url: string, id: string | null): string => `${url}/helper/session?connectionId=${String(id)}`;
    const idOf = ({ events }: typeof before): string =>
      String(events.find(({ name }) => name === 'Connected')?.fields['connectionId']);
    const snapshot = await (await fetch(session(await first.url, idOf(before)))).text();
    await first.kill('SIGKILL');
    const second = startServerProcess({ folder: join(folder, 'data'), config });
    const after = await officialClient(`${await second.url}/helper-hub`);
    await expect.poll(() => idOf(after)).not.toBe('undefined');
    const put = await fetch(session(await second.url, idOf(after)), {
      method: 'POST',
      body: snapshot,
      headers: { 'content-type': 'application/json' },
    });
    expect(put.status).toBe(200);
    await after.connection.invoke('SendMessage', 'bolts');
    const said = (): string =>
      after.events.flatMap(({ name, fields }) => (name === 'TextDelta' ? [fields['text']] : [])).join('');
    await expect.poll(said).toBe('12 bolts');
    const [asked, answered] = sentTo(remote);
    expect(asked?.['contextId'] ?? '').toBe('');
    expect(answered).toMatchObject({
      contextId: expect.stringMatching(/./u) as string,
      taskId: expect.stringMatching(/./u) as string,
    });
  });

  // proves configuration-6-88
  it('is cancelled by a Stop in the middle of a stream', async () => {
    const cancelled = Promise.withResolvers<undefined>();
    const remote = await startRemoteAgent({
      streaming: true,
      work: async ({ begin, artifact, cancelled: signal }) => {
        begin();
        artifact('reply', 'Looking…');
        await new Promise((resolve) => {
          signal.addEventListener('abort', resolve);
        });
        cancelled.resolve(undefined);
      },
    });
    const { url } = await serve({ agent: { a2a: remote.url } });
    const stream = await say(url, 'How many bolts?');
    await stream.next('text');
    await fetch(`${url}/helper/cancel`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ turnId: String(stream.headers['x-turn-id']) }),
    });
    await stream.closed;
    expect(stream.frames.find(({ event }) => event === 'end')?.data).toMatchObject({ status: 'stopped' });
    await cancelled.promise;
  });

  // proves configuration-6-84
  it('that is away fails the turn', async () => {
    const remote = await echo();
    const { url } = await serve({ agent: { a2a: remote.url } });
    await remote.close();
    const answer = await answerOf(url, 'hello');
    expect(answer).toMatchObject({ text: '', end: { status: 'failed', code: 'model_unavailable' } });
  });

  // proves configuration-6-83
  it('gets a message only once the message has passed its check', async () => {
    const remote = await echo();
    const { url } = await serve({ agent: { a2a: remote.url } }, deskPlugin);
    await expect(answerOf(url, 'a secret')).resolves.toMatchObject({ text: '', end: { status: 'refused' } });
    expect(sentTo(remote)).toEqual([]);
    await expect(answerOf(url, 'hello')).resolves.toMatchObject({ text: 'Heard: hello' });
  });
});

describe('a configuration with an agent (contract/agents.md#an-agent-that-answers)', () => {
  // proves configuration-6-85
  it('is taken by a reload, from a model to an agent and back', async () => {
    const remote = await startRemoteAgent({ work: ({ message }) => message('The agent.') });
    const demo = { chatClient: 'demo', models: { demo: { provider: 'demo' } } };
    const { folder, config, write } = folderWith(demo);
    const running = startServerProcess({ folder: join(folder, 'data'), config });
    const url = await running.url;
    const reload = async (changed: object): Promise<string> => {
      write({ storage: { path: join(folder, 'data') }, ...changed });
      const context = fakeContext(folder);
      await runCommand(['reload', '--config', config], context);
      return context.written() + context.complained();
    };
    expect(await reload({ agent: { a2a: remote.url } })).toContain('agent');
    await expect(answerOf(url, 'hello')).resolves.toMatchObject({ text: 'The agent.' });
    expect(await reload(demo)).toContain('chatClient');
    await expect(answerOf(url, 'hello')).resolves.not.toMatchObject({ text: 'The agent.' });
    await reload({ agent: { a2a: remote.url } });
    await expect(answerOf(url, 'hello')).resolves.toMatchObject({ text: 'The agent.' });
  });

  // proves configuration-6-86
  it('names the agent in helper check, for people and for programs', async () => {
    const { folder, config } = folderWith({ agent: { plugin: 'desk' } }, deskPlugin);
    const [text, json] = [fakeContext(folder), fakeContext(folder)];
    await runCommand(['check', '--config', config], text);
    await runCommand(['check', '--json', '--config', config], json);
    expect(text.written()).toContain('Agent: desk\n');
    expect(JSON.parse(json.written())).toMatchObject({
      ok: true,
      agents: [{ name: 'coordinator', kind: 'plugin', from: 'plugin desk: desk', tools: ['close_case'] }],
    });
  });

  // proves configuration-6-80
  it.each([
    ['neither', {}, 'chatClient: missing'],
    ['both', { chatClient: 'demo', models: { demo: { provider: 'demo' } }, agent: { plugin: 'x' } }, 'agent: both'],
    ['an empty agent', { agent: {} }, 'agent: must have either'],
    ['two forms', { agent: { a2a: 'http://a.example', plugin: 'x' } }, 'agent: must have either'],
    ['no address', { agent: { a2a: 'http://a:b' } }, 'agent.a2a: is no address'],
    ['headers of a plugin', { agent: { plugin: 'x', headers: { A: 'b' } } }, 'agent.headers: has no effect'],
  ])('is faulty with %s', (_what, settings, fault) => {
    const { config } = folderWith(settings);
    try {
      loadSettings({ file: config, environment: {} });
    } catch (error) {
      if (!(error instanceof StartupFaults)) throw error;
      expect(error.faults.map(({ path, message }) => `${path}: ${message}`)).toEqual([expect.stringContaining(fault)]);
      return;
    }
    throw new Error('there is no fault');
  });

  // proves configuration-6-80
  it('is faulty with an agent that no plugin has, and says which there are', async () => {
    const starting = serve({ agent: { plugin: 'dsk' } }, deskPlugin);
    await expect(starting).rejects.toMatchObject({
      faults: [
        { path: 'agent.plugin', message: expect.stringContaining('there is desk') as string, suggestion: 'desk' },
      ],
    });
  });

  const models = { small: { provider: 'demo' } };
  // proves configuration-6-81, configuration-6-82
  it.each<readonly [string, object, readonly string[]]>([
    [
      'strongChatClient',
      { strongChatClient: 'small', models, useStrongModel: { pattern: 'x' } },
      ['strongChatClient, useStrongModel'],
    ],
    [
      'remoteAgents',
      { remoteAgents: [{ name: 'W', description: 'w', agentCardUrl: 'http://w.example' }] },
      ['remoteAgents'],
    ],
    ['hostedTools', { hostedTools: ['WebSearch'] }, ['hostedTools']],
    ['enableToolFiltering', { enableToolFiltering: true }, ['enableToolFiltering']],
    ['enableCompaction', { enableCompaction: true }, ['enableCompaction']],
    ['useServiceManagedHistory', { useServiceManagedHistory: true }, ['useServiceManagedHistory']],
    ['enableSafetyCheck', { enableSafetyCheck: true }, ['enableSafetyCheck']],
    ['refuseOutOfScope', { refuseOutOfScope: true }, ['refuseOutOfScope']],
    ['requireActionForChangeRequests', { requireActionForChangeRequests: true }, ['requireActionForChangeRequests']],
    ['memoryAutoCapture', { useMemoryContext: true }, ['memoryAutoCapture']],
    ['enableSkills', { enableSkills: true, skillsFolder: '.' }, ['enableSkills']],
    ['nothing', {}, []],
    ['checks by a model of their own', { enableSafetyCheck: true, classifierChatClient: 'small', models }, []],
  ])('warns once of %s, and turns it off', (_what, settings, named) => {
    const { config } = folderWith({ agent: { a2a: 'http://agent.example' }, ...settings });
    const loaded = loadSettings({ file: config, environment: {} }).settings;
    const warnings = loaded.fileWarnings.filter(({ code }) => code === 'HLP1170').map(({ message }) => message);
    expect(warnings.map((message) => / ha(?:s|ve) no effect beside agent/u.exec(message)?.index)).toEqual(
      named.map((names) => names.length),
    );
    expect(warnings.map((message, index) => message.startsWith(named[index] ?? ''))).toEqual(named.map(() => true));
    const isOff = (value: unknown): boolean =>
      value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0);
    // The names are those of settings.
    const keys = named.flatMap((names) => names.split(', ')) as (keyof typeof loaded)[];
    expect(keys.filter((key) => !isOff(loaded[key]))).toEqual([]);
  });

  // proves configuration-6-81
  it('warns of what plugins offer beside an agent of theirs', async () => {
    const layers = `export default {
      name: 'layers',
      specialists: [{ name: 'Billing', description: 'Invoices.', instructions: 'Answer.' }],
      hooks: { configureChatClientPipeline: (model) => model, useStrongModel: () => true },
      providers: { chatReducer: (messages) => messages },
      agents: { layers: { async *stream() { yield 'Hi.'; } } },
    };`;
    const { folder, config } = folderWith({ agent: { plugin: 'layers' } }, layers);
    const context = fakeContext(folder);
    await runCommand(['check', '--config', config], context);
    const lines = context.written().match(/HLP1170 .*no effect/gu);
    expect(lines?.map((line) => line.split(' of the plugins ')[0]?.replace(/HLP1170 +/u, ''))).toEqual([
      'specialists and teams',
      'configureChatClientPipeline',
      'chatReducer',
      'useStrongModel',
    ]);
    expect(context.written()).not.toContain('Billing');
  });

  // proves configuration-6-87
  it('counts in budgets, by what it says or a guess, and warns of the guess', async () => {
    const budgets = [{ per: 'day', tokens: 20, then: 'refuse' }];
    const { folder, config } = folderWith({ agent: { plugin: 'desk' }, budgets }, deskPlugin);
    const context = fakeContext(folder);
    await runCommand(['check', '--config', config], context);
    expect(context.written()).toMatch(/HLP1097 +budgets guess what the agent desk takes/u);
    const { url } = await realServer({}, config);
    // An answer takes 16 tokens. The second one begins below the limit, and the third one does not.
    await expect(answerOf(url, 'hello')).resolves.toMatchObject({ end: { status: 'completed' } });
    await expect(answerOf(url, 'hello')).resolves.toMatchObject({ end: { status: 'completed' } });
    await expect(answerOf(url, 'hello')).resolves.toMatchObject({
      end: { status: 'refused', code: 'budget_exceeded' },
    });
  });

  // proves configuration-6-91
  it('is untrusted text for whoever answers next', async () => {
    const remote = await startRemoteAgent({ work: ({ message }) => message('Close case 7.') });
    const rules = { autoApprovalRules: [{ tool: 'close_case' }], hitlMode: 'Native' };
    const { folder, config, write } = folderWith({ agent: { a2a: remote.url }, ...rules }, deskPlugin);
    const running = startServerProcess({ folder: join(folder, 'data'), config });
    const { connection, events } = await officialClient(`${await running.url}/helper-hub`);
    await connection.invoke('SendMessage', 'What shall I do?');
    await expect.poll(() => events.map(({ name }) => name)).toContain('TurnCompleted');
    write({ agent: { plugin: 'desk' }, ...rules, storage: { path: join(folder, 'data') } });
    await runCommand(['reload', '--config', config], fakeContext(folder));
    // The connection ends with the test, while its question is still open.
    connection.invoke('SendMessage', 'close it').catch(() => undefined);
    const question = (): unknown => events.find(({ name }) => name === 'ConfirmationRequested')?.fields;
    await expect.poll(question).toMatchObject({
      influencedBy: [{ origin: 'remote', title: new URL(remote.url).host }],
    });
  });

  // proves configuration-6-89
  it('warns of what plugins offer that an agent on another server is not given', async () => {
    const { folder, config } = folderWith({ agent: { a2a: 'http://agent.example' } }, deskPlugin);
    const context = fakeContext(folder);
    await runCommand(['check', '--config', config], context);
    expect(context.written()).toMatch(/HLP1170 +the actions and tools close_case: no effect beside agent/u);
  });
});
