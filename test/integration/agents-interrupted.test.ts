import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TaskState } from '@a2a-js/sdk';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../src/cli/run-command.ts';
import { startRemoteAgent } from '../support/remote-agent-server.ts';
import { calling, hangingAfter, type ModelScript, saying, startScriptedModel } from '../support/scripted-model.ts';
import { startServerProcess } from '../support/server-process.ts';
import { openSse, type SseConversation } from '../support/sse-client.ts';
import { fakeContext } from '../unit/cli/fake-context.ts';

/** Writes a line for each run into a file, which outlives the process. */
const plugin = `
import { appendFileSync } from 'node:fs';
export default {
  name: 'desk',
  actions: [{
    name: 'close_case',
    description: 'Closes a case.',
    parameters: { type: 'object', properties: {} },
    execute: run,
  }],
  specialists: [{
    name: 'Clerk',
    description: 'Stamps papers.',
    instructions: 'You are Cleo.',
    actions: [{
      name: 'stamp',
      description: 'Stamps a paper.',
      parameters: { type: 'object', properties: {} },
      execute: run,
    }],
  }],
};
function run() {
  appendFileSync(new URL('./runs', import.meta.url), 'run\\n');
  return 'done';
}`;

const agents = `
kind: Prompt
name: Ann
description: Closes cases.
instructions: You are Ann.
tools: [{ kind: function, name: close_case }]
---
kind: Prompt
name: Bob
description: Files cases.
instructions: You are Bob.
---
kind: Team
name: Desk
description: Handles cases.
mode: MODE
members: [Ann, Bob, Warehouse]
---
kind: RemoteAgent
name: Warehouse
description: Knows stock levels.
agentCardUrl: REMOTE
`;

const modes = ['sequential', 'concurrent'] as const;

/** How each agent behaves. Left out, it says a sentence. */
interface Behaviour {
  /** Whom the coordinator hands over to. Left out, the team. */
  readonly to?: string;
  readonly cleo?: ModelScript;
  readonly ann?: ModelScript;
  readonly bob?: ModelScript;
  /** Whether the remote agent stops in the middle of its reply. */
  readonly isRemoteStuck?: boolean;
}

/** A project with a team of two specialists and a remote agent, whose models do what `how` says at that time. */
async function project(mode: (typeof modes)[number], settings: object = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'helper-interrupted-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const desk = { mode, how: {} as Behaviour, cancelled: 0, asked: 0 };
  const remote = await startRemoteAgent({
    streaming: true,
    work: async ({ begin, artifact, status, cancelled }) => {
      desk.asked += 1;
      begin();
      artifact('reply', 'Warehouse looks. ');
      if (desk.how.isRemoteStuck === true) {
        await new Promise((resolve) => {
          cancelled.addEventListener('abort', resolve);
        });
        desk.cancelled += 1;
        return;
      }
      status(TaskState.TASK_STATE_COMPLETED);
    },
  });
  const model = await startScriptedModel({
    otherwise: async (exchange) => {
      const messages = exchange.request.body['messages'] as readonly {
        readonly role: string;
        readonly content: unknown;
      }[]; // as the wire has it
      const system = String(messages[0]?.content);
      const hasResult = messages.at(-1)?.role === 'tool';
      const script = system.includes('You are Ann')
        ? (desk.how.ann ?? saying('Ann is done. '))
        : system.includes('You are Cleo')
          ? (desk.how.cleo ?? saying('Cleo is done. '))
          : system.includes('You are Bob')
            ? (desk.how.bob ?? saying('Bob is done. '))
            : hasResult
              ? saying('All done.')
              : calling({
                  name: 'route_to_specialist',
                  arguments: { name: desk.how.to ?? 'Desk', request: 'Close the case' },
                });
      await script(exchange);
    },
  });
  onTestFinished(() => model.close());
  const config = join(folder, 'helper.yaml');
  const write = (more: object = {}): void => {
    const configuration = {
      appName: 'Test',
      hitlMode: 'Native',
      chatClient: 'main',
      models: { main: { provider: 'openai', baseUrl: model.url, model: 'scripted', apiKey: 'none' } },
      actions: { plugins: ['plugins'] },
      storage: { path: join(folder, 'data') },
      declarative: { directory: '.' },
      ...settings,
      ...more,
    };
    writeFileSync(config, JSON.stringify(configuration));
  };
  write();
  mkdirSync(join(folder, 'plugins'), { recursive: true });
  writeFileSync(join(folder, 'plugins/desk.plugin.js'), plugin);
  const define = (text: string): void => {
    writeFileSync(join(folder, 'all.agent.yaml'), text);
  };
  define(agents.replace('MODE', mode).replace('REMOTE', remote.url));
  const start = (): ReturnType<typeof startServerProcess> =>
    startServerProcess({ folder: join(folder, 'data'), config });
  const runs = (): number => {
    const file = join(folder, 'plugins/runs');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0;
  };
  return { desk, folder, config, write, define, start, runs, model };
}

type Project = Awaited<ReturnType<typeof project>>;

const say = (url: string): Promise<SseConversation> => openSse(`${url}/helper/chat?message=Close+it`);

const post = (address: string, body: object): Promise<Response> =>
  fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** Waits until the remote agent speaks. What members say side by side is shown once all have ended, and what the last says as it comes. */
async function speaking({ desk }: Project, chat: SseConversation): Promise<void> {
  const { how, mode } = desk;
  expect(how.isRemoteStuck).toBe(true);
  await expect.poll(() => desk.asked).toBeGreaterThan(0);
  if (mode === 'sequential') {
    await expect.poll(() => chat.text()).toContain('Warehouse looks.');
  }
}

describe.each(modes)(
  'a team of mode %s that speaks (contract/restarts.md, contract/agents.md#confirmations)',
  (mode) => {
    it('ends when the server drains: the turn is told so, the task of the remote agent is cancelled, the process ends with 0', async () => {
      const one = await project(mode, { server: { shutdownGrace: '200ms' } });
      one.desk.how = { isRemoteStuck: true };
      const server = one.start();
      const chat = await say(await server.url);
      await speaking(one, chat);
      const ended = server.kill('SIGTERM');
      expect((await chat.next('end')).data).toMatchObject({ status: 'failed', code: 'server_draining' });
      expect(await ended).toBe(0);
      await expect.poll(() => one.desk.cancelled).toBe(1);
      expect(one.runs()).toBe(0);
    });

    it('goes on after a crash with server.durableTurns: each member is told once, and the reply is whole', async () => {
      const one = await project(mode, { server: { durableTurns: true } });
      one.desk.how = { isRemoteStuck: true };
      const first = one.start();
      const chat = await say(await first.url);
      await speaking(one, chat);
      await first.kill('SIGKILL');
      await chat.closed;
      one.desk.how = {};
      const url = await one.start().url;
      const id = chat.frames.findLast((frame) => frame.id !== undefined)?.id ?? '';
      const resumed = await openSse(`${url}/helper/chat`, { headers: { 'last-event-id': id } });
      const { data } = await resumed.next('end');
      expect(data).toMatchObject({ status: 'completed' });
      const text = String(data?.['text']);
      for (const words of ['Warehouse looks.', 'All done.']) expect(text.split(words)).toHaveLength(2);
      expect(one.runs()).toBe(0);
    });

    it('with an action that was approved runs it once, wherever a crash falls afterwards', async () => {
      const one = await project(mode, { server: { durableTurns: true } });
      const closing: ModelScript = (exchange) =>
        JSON.stringify(exchange.request.body['messages']).includes('"role":"tool"')
          ? saying('Ann has closed it. ')(exchange)
          : calling({ name: 'close_case', arguments: {} })(exchange);
      one.desk.how = { ann: closing, isRemoteStuck: true };
      const first = one.start();
      const url = await first.url;
      const chat = await say(url);
      const { data = {}, id: asked = '' } = await chat.next('confirmation');
      expect((await post(`${url}/helper/approve`, { actionId: data['actionId'], approved: true })).status).toBe(200);
      await expect.poll(one.runs).toBe(1);
      await first.kill('SIGKILL');
      await chat.closed;
      one.desk.how = { ann: closing };
      const resumed = await openSse(`${await one.start().url}/helper/chat`, { headers: { 'last-event-id': asked } });
      const { data: end } = await resumed.next('end');
      // The crash may have fallen before the outcome was stored: then nobody knows it, and the action is not run again.
      const [receipt] = end?.['receipts'] as readonly { readonly status: string }[];
      expect(['succeeded', 'unknown']).toContain(receipt?.status);
      expect(one.runs()).toBe(1);
    });

    it('is stopped at any of its events: nothing runs, and what is under way at members and remote agents is cancelled', async () => {
      const one = await project(mode);
      one.desk.how = {
        ann: calling({ name: 'close_case', arguments: {} }),
        bob: hangingAfter('Half '),
        isRemoteStuck: true,
      };
      const url = await one.start().url;
      const whole = await say(url);
      await whole.next('confirmation');
      if (mode === 'concurrent') await speaking(one, whole);
      const count = whole.frames.filter(({ id }) => id !== undefined).length;
      whole.close();
      for (let after = 1; after <= count; after += 1) {
        const chat = await say(url);
        await expect.poll(() => chat.frames.filter(({ id }) => id !== undefined).length).toBeGreaterThanOrEqual(after);
        const cancelled = await post(`${url}/helper/cancel`, { turnId: String(chat.headers['x-turn-id']) });
        expect(cancelled.status).toBe(200);
        expect((await chat.next('end')).data).toMatchObject({ status: 'stopped' });
        await chat.closed;
      }
      expect(one.runs()).toBe(0);
      await expect.poll(() => one.desk.asked - one.desk.cancelled).toBe(0);
    });

    it('whose budget is used up inside a member asks no model any more, and says so', async () => {
      const one = await project(mode, { budgets: [{ per: 'conversation', tokens: 1, then: 'refuse' }] });
      const url = await one.start().url;
      const chat = await say(url);
      const { data } = await chat.next('end');
      expect(data).toMatchObject({ status: 'failed', code: 'budget_exceeded' });
      // The coordinator has asked once, which has used the budget up.
      expect(one.model.requests).toHaveLength(1);
      expect(one.runs()).toBe(0);
    });

    it('goes on when a reload takes its agents away, and the next turn has none', async () => {
      const one = await project(mode);
      const held = Promise.withResolvers<undefined>();
      one.desk.how = {
        bob: async (exchange) => {
          await exchange.send('');
          await held.promise;
          await saying('Bob is done. ')(exchange);
        },
      };
      const url = await one.start().url;
      const chat = await say(url);
      await expect
        .poll(() => one.model.requests.some(({ body }) => JSON.stringify(body).includes('You are Bob')))
        .toBe(true);
      one.define('kind: Prompt\nname: Filer\ndescription: Files things.\ninstructions: You file.\n');
      const context = fakeContext(one.folder);
      await runCommand(['reload', '--config', one.config], context);
      expect(context.complained()).toBe('');
      held.resolve(undefined);
      const { data } = await chat.next('end');
      expect(data).toMatchObject({ status: 'completed' });
      if (mode === 'concurrent') expect(chat.text()).toContain('Bob is done.');
      expect(chat.text()).toContain('Warehouse looks.');
      const before = one.model.requests.length;
      await (await say(url)).next('end');
      const offered = JSON.stringify(one.model.requests[before]?.body['tools']);
      expect(offered).toContain('Filer');
      expect(offered).not.toContain('Desk');
    });
  },
);

it('an action that only one agent has is asked for again after a crash, and runs once (contract/agents.md#confirmations)', async () => {
  const one = await project('sequential');
  one.desk.how = {
    to: 'Clerk',
    cleo: (exchange) =>
      JSON.stringify(exchange.request.body['messages']).includes('"role":"tool"')
        ? saying('Stamped. ')(exchange)
        : calling({ name: 'stamp', arguments: {} })(exchange),
  };
  const first = one.start();
  const chat = await say(await first.url);
  const { data = {}, id: asked = '' } = await chat.next('confirmation');
  await first.kill('SIGKILL');
  await chat.closed;
  const url = await one.start().url;
  expect((await post(`${url}/helper/approve`, { actionId: data['actionId'], approved: true })).status).toBe(200);
  const resumed = await openSse(`${url}/helper/chat`, { headers: { 'last-event-id': asked } });
  expect((await resumed.next('end')).data).toMatchObject({
    status: 'completed',
    receipts: [{ action: 'stamp', status: 'succeeded' }],
  });
  expect(one.runs()).toBe(1);
});
