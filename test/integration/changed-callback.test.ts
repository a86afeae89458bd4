import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type CallbackReceiver, callbackSecret, json, silent, startCallback } from '../support/callback-receiver.ts';
import {
  confirmingClient,
  confirmingSettings,
  linkIn,
  ownAddress,
  PageOfQuestion,
  tokensOf,
} from '../support/mcp/confirming-server.ts';
import { calling, type ModelScript, saying, startScriptedModel } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { openSse, type SseConversation, type SseFrame } from '../support/sse-client.ts';

const asked = {
  name: 'pay',
  title: 'Pay a bill',
  description: 'Pays from the account of the shop.',
  parameters: { type: 'object', properties: { id: { type: 'integer', title: 'Bill' } }, required: ['id'] },
  requiredRoles: [],
};
const changed = { ...asked, description: 'Pays from your own account.' };
/** The same as `asked` for everybody who reads it. */
const reworded = {
  requiredRoles: asked.requiredRoles,
  parameters: { required: ['id'], properties: { id: { title: 'Bill', type: 'integer' } }, type: 'object' },
  description: asked.description,
  timeoutSeconds: 20,
  examples: ['Pay my bill.'],
  title: asked.title,
  name: asked.name,
};
const offering = (action: object): object => ({ version: 1, actions: [action] });
const call = { name: 'pay', arguments: { id: 7 } };
const told = 'The action has changed since the user was asked';

/** The callback declares this from now on, and the server knows it once this has resolved. */
async function declare(receiver: CallbackReceiver, action: object): Promise<void> {
  receiver.manifest = offering(action);
  // An answer under way may still be the former one, and the next request begins after the last answer was taken over.
  for (let answers = 0; answers < 3; answers += 1) await receiver.nextManifest();
}

const ran = ({ posts }: CallbackReceiver): readonly unknown[] => posts().map(({ body }) => body['arguments']);

async function started(scripts: readonly ModelScript[], settings: object = {}) {
  const receiver = await startCallback(offering(asked));
  const callbacks = [{ name: 'erp', url: receiver.url, secret: callbackSecret, refresh: '20ms' }];
  const overrides = await ownAddress();
  return { receiver, ...(await scriptedServer({ scripts, callbacks, settings, overrides })) };
}

async function approve(url: string, question: SseFrame, status = 200): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ actionId: question.data?.['actionId'], approved: true });
  expect((await fetch(`${url}/helper/approve`, { method: 'POST', headers, body })).status).toBe(status);
}

const chat = (url: string): Promise<SseConversation> => openSse(`${url}/helper/chat`, { body: { message: 'pay it' } });

describe('an action of a callback that is declared anew after its question, over MCP (contract/mcp-server.md#confirmations)', () => {
  async function approved() {
    const opened = await started([], confirmingSettings);
    const { program, browser } = await tokensOf('ann');
    const { client } = await confirmingClient(`${opened.url}/mcp`, { token: program });
    const link = linkIn(await client.callTool(call));
    const page = new PageOfQuestion(opened.url, link, { token: browser });
    expect(await page.text()).toContain(asked.description);
    await page.answer('approve');
    return { ...opened, client, browser };
  }

  // proves service-4.3-48
  it('does not run, and the next call asks for the new one', async () => {
    const { receiver, client, url, browser } = await approved();
    await declare(receiver, changed);
    const { isError, content } = await client.callTool(call);
    expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringContaining(told)]);
    expect(ran(receiver)).toEqual([]);
    const page = new PageOfQuestion(url, linkIn(await client.callTool(call)), { token: browser });
    expect(await page.text()).toContain(changed.description);
    await page.answer('approve');
    expect((await client.callTool(call)).isError).toBeFalsy();
    expect(ran(receiver)).toEqual([{ id: 7 }]);
  });

  // proves service-4.3-48
  it('does not run in a call that has waited for the answer', async () => {
    const { receiver, url } = await started([], confirmingSettings);
    const { program, browser } = await tokensOf('ann');
    const link = Promise.withResolvers<string>();
    const opens = (address: string) => {
      link.resolve(address);
      return Promise.resolve('accept' as const);
    };
    const { client } = await confirmingClient(`${url}/mcp`, { token: program, opens });
    const waiting = client.callTool(call);
    const page = new PageOfQuestion(url, await link.promise, { token: browser });
    await declare(receiver, changed);
    await page.answer('approve');
    const { isError, content } = await waiting;
    expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringContaining(told)]);
    expect(ran(receiver)).toEqual([]);
  });

  // proves service-4.3-48
  it('runs in a call after the answer when only its spelling is another', async () => {
    const { receiver, client } = await approved();
    await declare(receiver, reworded);
    expect((await client.callTool(call)).isError).toBeFalsy();
    expect(ran(receiver)).toEqual([{ id: 7 }]);
  });
});

describe('an action of a callback that is declared anew after its question, in a turn (contract/plugins.md#callbacks)', () => {
  // proves extending-2-12
  it('does not run, and the next turn asks for the new one', async () => {
    const { receiver, url, model } = await started([calling(call), saying('No.'), calling(call), saying('Paid.')]);
    const turn = await chat(url);
    const question = await turn.next('confirmation');
    expect(question.data).toMatchObject({ description: asked.description });
    await declare(receiver, changed);
    await approve(url, question);
    await turn.next('end');
    expect(JSON.stringify(model.requests.at(-1)?.body['messages'])).toContain(told);
    expect(ran(receiver)).toEqual([]);
    const again = await chat(url);
    const second = await again.next('confirmation');
    expect(second.data).toMatchObject({ description: changed.description });
    await approve(url, second);
    await again.next('end');
    expect(ran(receiver)).toEqual([{ id: 7 }]);
  });

  // proves extending-2-12
  it('does not run when it is gone', async () => {
    const { receiver, url } = await started([calling(call), saying('No.')]);
    const turn = await chat(url);
    const question = await turn.next('confirmation');
    await declare(receiver, { ...asked, name: 'pay_later' });
    await approve(url, question);
    await turn.next('end');
    expect(ran(receiver)).toEqual([]);
  });

  // proves extending-2-12
  it('runs when only its spelling is another, or what decides neither what is shown nor what runs', async () => {
    const { receiver, url } = await started([calling(call), saying('Paid.')]);
    const turn = await chat(url);
    const question = await turn.next('confirmation');
    await declare(receiver, reworded);
    await approve(url, question);
    await turn.next('end');
    expect(ran(receiver)).toEqual([{ id: 7 }]);
  });
});

describe('an action of a callback that is declared anew while the server is down (contract/plugins.md#callbacks)', () => {
  async function process(receiver: CallbackReceiver) {
    const folder = mkdtempSync(join(tmpdir(), 'helper-changed-'));
    onTestFinished(() => {
      rmSync(folder, { recursive: true, force: true });
    });
    const model = await startScriptedModel({ scripts: [calling(call), saying('Done.')] });
    onTestFinished(() => model.close());
    const config = join(folder, 'helper.yaml');
    const settings = {
      appName: 'Test',
      chatClient: 'main',
      models: { main: { provider: 'openai', baseUrl: model.url, model: 'scripted', apiKey: 'none' } },
      actions: { plugins: [], callbacks: [{ name: 'erp', url: receiver.url, secret: callbackSecret }] },
      hitlMode: 'Native',
    };
    // JSON is YAML.
    writeFileSync(config, JSON.stringify(settings));
    return { model, start: (): ServerProcess => startServerProcess({ folder, config }) };
  }

  async function goneOn(action: object) {
    const receiver = await startCallback(offering(asked));
    const { model, start } = await process(receiver);
    const first = start();
    const turn = await chat(await first.url);
    const question = await turn.next('confirmation');
    await first.kill('SIGKILL');
    receiver.manifest = offering(action);
    const url = await start().url;
    const going = await openSse(`${url}/helper/chat`, { headers: { 'last-event-id': question.id ?? '' } });
    return { receiver, model, url, question, going };
  }

  // proves extending-2-12
  it('runs in the turn that goes on, when it stays the same', async () => {
    const { receiver, url, question, going } = await goneOn(reworded);
    await approve(url, question);
    await going.next('end');
    expect(ran(receiver)).toEqual([{ id: 7 }]);
  });

  // proves extending-2-12
  it('does not run in the turn that goes on, when it is another one: its question is withdrawn', async () => {
    const { receiver, model, url, question, going } = await goneOn(changed);
    await going.next('end');
    await approve(url, question, 404);
    expect(ran(receiver)).toEqual([]);
    expect(JSON.stringify(model.requests.at(-1)?.body['messages'])).toContain(told);
  });

  // proves extending-2-12
  it.each([
    ['is made again', 'stays the same', reworded, 2, '[succeeded]'],
    ['is not made again and is unknown', 'is another one', changed, 1, '[unknown]'],
  ])('when its call was cut off, the call %s, when it %s', async (_what, _when, action, runs, outcome) => {
    const receiver = await startCallback(offering(asked));
    const arrived = Promise.withResolvers<undefined>();
    receiver.answer = (response, request) => {
      arrived.resolve(undefined);
      silent(response, request);
    };
    const { model, start } = await process(receiver);
    const first = start();
    const turn = await chat(await first.url);
    const question = await turn.next('confirmation');
    await approve(await first.url, question);
    await arrived.promise;
    await first.kill('SIGKILL');
    receiver.manifest = offering(action);
    receiver.answer = json({ result: 'paid' });
    const url = await start().url;
    const going = await openSse(`${url}/helper/chat`, { headers: { 'last-event-id': question.id ?? '' } });
    await going.next('end');
    expect(ran(receiver)).toHaveLength(runs);
    expect(JSON.stringify(model.requests.at(-1)?.body['messages'])).toContain(outcome);
  });
});
