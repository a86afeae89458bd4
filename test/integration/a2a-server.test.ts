import { TaskState } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { TaskNotCancelableError, TaskNotFoundError, UnsupportedOperationError } from '@a2a-js/sdk/errors';
import { describe, expect, it, vi } from 'vitest';
import {
  a2aClient,
  asking,
  everyTask,
  posting,
  readStream,
  replyOf,
  taskOf,
  textOf,
  wordsOf,
} from '../support/a2a-client.ts';
import { callbackSecret, json, startCallback } from '../support/callback-receiver.ts';
import { calling, chunk, ending, hangingAfter, type ModelScript, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const plugin = `
export const ran = (globalThis.a2aRan ??= []);
const parameters = { type: 'object', properties: {} };
export default {
  name: 'desk',
  hooks: { inputGuardrail: (text) => !text.includes('bomb') },
  actions: [
    { name: 'get_order', description: 'Reads an order.', readOnly: true, parameters,
      execute: (_, { channel, user }) => ({ channel, user: user?.id ?? null }) },
    { name: 'read_report', description: 'Reads the report.', readOnly: true, requiredRoles: ['Boss'], parameters,
      execute: () => 'The report says 42.' },
    { name: 'cancel_order', description: 'Cancels an order.', parameters,
      execute: () => { ran.push('cancel_order'); return 'cancelled'; } },
  ],
};`;

/** What has run in this process. The plugin is loaded into it. */
const ran = ((globalThis as { a2aRan?: string[] }).a2aRan ??= []);

const signIn = { auth: { jwt: { secret: tokenSecret } } };

async function served(scripts: readonly ModelScript[], settings: object = {}) {
  const { url, model } = await scriptedServer({ scripts, plugin, settings: { a2aServerEnabled: true, ...settings } });
  return { url, model, client: await a2aClient(url) };
}

const userClient = async (url: string, sub: string, more: object = {}): Promise<Client> =>
  a2aClient(url, await makeToken({ sub, ...more }));

/** What the model of the server was sent. */
const sentTo = (model: { requests: readonly { body: Readonly<Record<string, unknown>> }[] }, index = 0) =>
  model.requests[index]?.body as {
    messages: { role: string; content: string }[];
    tools?: { function: { name: string } }[];
  };

describe('a task of the official client (contract/a2a-server.md#tasks)', () => {
  // proves service-4.8-01, service-4.8-14
  it('is answered with the complete reply of a turn', async () => {
    const { client, model } = await served([saying('Two ', 'orders.')]);
    const task = await taskOf(client.sendMessage(asking('Which are open?')));
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(replyOf(task)).toBe('Two orders.');
    expect(task.history.map(({ parts, taskId }) => [replyOf({ artifacts: [{ parts }] as never }), taskId])).toEqual([
      ['Which are open?', task.id],
    ]);
    expect(sentTo(model).messages.at(-1)?.content).toContain('Which are open?');
  });

  it('is a stream that grows to the same reply, where the client asks for one', async () => {
    const { client } = await served([saying('Two ', 'orders ', 'are open.')]);
    const { first, reply, states } = await readStream(client.sendMessageStream(asking('Which are open?')));
    expect(reply).toBe('Two orders are open.');
    expect(states).toEqual([TaskState.TASK_STATE_WORKING, TaskState.TASK_STATE_COMPLETED]);
    expect(replyOf(await client.getTask({ tenant: '', id: first.id }))).toBe(reply);
  });

  // proves service-4.8-13
  it('is a conversation of its own, whatever context its client names', async () => {
    const { client, model } = await served([saying('Hello Ann.'), saying('I do not know.')]);
    const first = await taskOf(client.sendMessage(asking('I am Ann.', { message: { contextId: 'desk-1' } })));
    const second = await taskOf(client.sendMessage(asking('Who am I?', { message: { contextId: 'desk-1' } })));
    expect([first.contextId, second.contextId]).toEqual(['desk-1', 'desk-1']);
    expect(JSON.stringify(sentTo(model, 1).messages)).not.toContain('I am Ann.');
    const other = await taskOf(client.sendMessage(asking('Hello')));
    expect(other.contextId).not.toBe('desk-1');
  });

  // proves service-4.8-14
  it('runs on when its client asks for no more than its beginning', async () => {
    const { client } = await served([saying('Done.')]);
    const configuration = { returnImmediately: true };
    const begun = await taskOf(client.sendMessage(asking('Look it up', { configuration })));
    expect(begun.status?.state).toBe(TaskState.TASK_STATE_WORKING);
    await vi.waitFor(async () => {
      expect(replyOf(await client.getTask({ tenant: '', id: begun.id }))).toBe('Done.');
    });
  });

  // proves service-4.8-20
  it('runs on when its client has gone, and is read later', async () => {
    const go = Promise.withResolvers<undefined>();
    const slow: ModelScript = async (exchange) => {
      await exchange.send(chunk({ content: 'Still ' }));
      await go.promise;
      await exchange.send(`${chunk({ content: 'here.' })}${ending()}`);
      exchange.end();
    };
    const { client } = await served([slow]);
    let id = '';
    for await (const { payload } of client.sendMessageStream(asking('Hello'))) {
      if (payload?.$case === 'task') ({ id } = payload.value);
      else break;
    }
    let last = '';
    for await (const event of client.resubscribeTask({ tenant: '', id })) {
      go.resolve(undefined);
      last = JSON.stringify(event.payload);
    }
    expect(last).toContain(`"state":${String(TaskState.TASK_STATE_COMPLETED)}`);
    expect(replyOf(await client.getTask({ tenant: '', id, historyLength: 0 }))).toBe('Still here.');
    expect((await client.getTask({ tenant: '', id, historyLength: 0 })).history).toEqual([]);
  });

  // proves service-4.8-15, service-4.8-20
  it('is stopped by its client, once', async () => {
    const { client, model } = await served([hangingAfter('One moment'), saying('Done.')]);
    const stream = client.sendMessageStream(asking('Count to a million'));
    const first = await stream.next();
    if (first.done === true || first.value.payload?.$case !== 'task') throw new Error('no task');
    const { id } = first.value.payload.value;
    await stream.next();
    const cancelled = await client.cancelTask({ tenant: '', id, metadata: undefined });
    expect(cancelled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    expect((await (await model.request(0)).closed).early).toBe(true);
    expect((await client.cancelTask({ tenant: '', id, metadata: undefined })).status?.state).toBe(
      TaskState.TASK_STATE_CANCELED,
    );
    const done = await taskOf(client.sendMessage(asking('Hi')));
    const again = client.cancelTask({ tenant: '', id: done.id, metadata: undefined });
    await expect(again).rejects.toBeInstanceOf(TaskNotCancelableError);
  });

  // proves service-4.8-13
  it('takes one message', async () => {
    const { client, model } = await served([saying('Done.')]);
    const { id } = await taskOf(client.sendMessage(asking('Hi')));
    const more = client.sendMessage(asking('And now?', { message: { taskId: id } }));
    await expect(more).rejects.toBeInstanceOf(UnsupportedOperationError);
    await expect(readStream(client.resubscribeTask({ tenant: '', id }))).rejects.toBeInstanceOf(
      UnsupportedOperationError,
    );
    const unknown = client.sendMessage(asking('And now?', { message: { taskId: 'task-of-nobody' } }));
    await expect(unknown).rejects.toBeInstanceOf(TaskNotFoundError);
    expect(model.requests).toHaveLength(1);
  });

  // proves service-4.8-11
  it('takes pictures where they are on, and asks for no address', async () => {
    const { client, model } = await served([saying('A dot.')], { enableImageInput: true });
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPj/HwADAgIAfm2oXQAAAABJRU5ErkJggg==';
    const part = { metadata: undefined, filename: 'dot.png', mediaType: 'image/png' };
    const raw = { ...part, content: { $case: 'raw' as const, value: Buffer.from(pixel, 'base64') } };
    const sent = asking('What is this?', { message: { parts: [textOf('What is this?'), raw] } });
    const task = await taskOf(client.sendMessage(sent));
    expect(replyOf(task)).toBe('A dot.');
    expect(JSON.stringify(sentTo(model))).toContain('data:image/png;base64,');
    expect(JSON.stringify(task.history)).not.toContain(pixel.slice(0, 20));
    const url = { ...part, content: { $case: 'url' as const, value: `${model.origin}/secret.png` } };
    const fetched = client.sendMessage(asking('Look', { message: { parts: [textOf('Look'), url] } }));
    await expect(fetched).rejects.toThrow('The parts of a message may be: text/plain, image/png');
    expect(model.requests).toHaveLength(1);
  });

  // proves service-4.8-15
  it('that is refused says why in words for the user', async () => {
    const { client } = await served([], { maxMessageLength: 20 });
    const long = await taskOf(client.sendMessage(asking('This is a text that is too long.')));
    expect(long.status?.state).toBe(TaskState.TASK_STATE_REJECTED);
    expect(wordsOf(long)).toBe('The message is too long: at most 20 characters are allowed.');
    const bad = await taskOf(client.sendMessage(asking('a bomb')));
    expect(bad.status?.state).toBe(TaskState.TASK_STATE_REJECTED);
    expect(wordsOf(bad)).toBe('This message cannot be answered here. Please rephrase it.');
  });
});

describe('actions of a task (contract/a2a-server.md#tasks)', () => {
  // proves service-4.8-16
  it('run where they only read, and know that another agent asks', async () => {
    const { client, model } = await served([calling({ name: 'get_order', arguments: {} }), saying('Blue.')]);
    expect(replyOf(await taskOf(client.sendMessage(asking('My order?'))))).toBe('Blue.');
    expect(sentTo(model, 1).messages.at(-1)?.content).toContain('"channel":"a2a"');
  });

  // proves service-4.8-16
  it('go on in the trace of the agent that asks', async () => {
    const actions = [
      {
        name: 'find_part',
        description: 'Finds it.',
        parameters: { type: 'object', additionalProperties: true },
        readOnly: true,
      },
    ];
    const receiver = await startCallback({ version: 1, actions });
    receiver.answer = json({ result: 'found' });
    const { url } = await scriptedServer({
      scripts: [calling({ name: 'find_part', arguments: {} }), saying('Found.')],
      callbacks: [{ name: 'erp', url: receiver.url, secret: callbackSecret }],
      settings: { a2aServerEnabled: true },
    });
    const trace = '0af7651916cd43dd8448eb211c80319c';
    const serviceParameters = { traceparent: `00-${trace}-b7ad6b7169203331-01` };
    await (await a2aClient(url)).sendMessage(asking('Find it'), { serviceParameters });
    const call = receiver.calls.at(-1);
    expect(call?.body).toMatchObject({ action: 'find_part', channel: 'a2a' });
    expect(call?.headers['traceparent']).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`));
  });

  // proves service-4.8-17
  it('are refused where they ask, and nothing runs', async () => {
    ran.length = 0;
    const { client, model } = await served([calling({ name: 'cancel_order', arguments: {} }), saying('I cannot.')]);
    expect(replyOf(await taskOf(client.sendMessage(asking('Cancel it'))))).toBe(
      'I cannot.\n\nWhat was actually done:\n\n- Cancel order: not allowed, not done',
    );
    expect(sentTo(model, 1).messages.at(-1)?.content).toContain('nobody can be asked here');
    expect(ran).toEqual([]);
  });

  // proves service-4.8-17
  it('are refused where they ask although a rule approves everything', async () => {
    ran.length = 0;
    const rules = { hitlMode: 'Native', autoApprovalRules: [{ tool: '*' }] };
    const { client, model } = await served([calling({ name: 'cancel_order', arguments: {} }), saying('No.')], rules);
    await taskOf(client.sendMessage(asking('Cancel it')));
    expect(sentTo(model, 1).messages.at(-1)?.content).toContain('nobody can be asked here');
    expect(ran).toEqual([]);
  });

  // proves service-4.8-18
  it('that need a role run for its holder alone', async () => {
    const scripts = [calling({ name: 'read_report', arguments: {} }), saying('Done.')];
    const { url, model } = await served([...scripts, ...scripts], signIn);
    await taskOf((await a2aClient(url)).sendMessage(asking('The report?')));
    expect(sentTo(model, 1).messages.at(-1)?.content).not.toContain('42');
    const boss = await userClient(url, 'ann', { roles: ['Boss'] });
    await taskOf(boss.sendMessage(asking('The report?')));
    expect(sentTo(model, 3).messages.at(-1)?.content).toContain('The report says 42.');
  });

  // proves service-4.8-19
  it('are never handed on to a remote agent, and neither to a team that has one', async () => {
    const team = 'kind: Team\nname: both\ndescription: Knows more.\nmode: sequential\nmembers: [stock]\n';
    const { url, model, client } = await served([saying('I do it myself.'), saying('I could ask.')], {
      remoteAgents: [{ name: 'stock', description: 'Knows the stock.', agentCardUrl: 'http://127.0.0.1:9' }],
      declarative: { definitions: [team] },
    });
    await taskOf(client.sendMessage(asking('How many are in stock?')));
    expect(sentTo(model).tools?.map(({ function: { name } }) => name)).not.toContain('route_to_specialist');
    await fetch(`${url}/helper/chat?message=stock`).then((response) => response.text());
    expect(sentTo(model, 1).tools?.map(({ function: { name } }) => name)).toContain('route_to_specialist');
  });
});

describe('a reply that is compared with what was read (contract/a2a-server.md#tasks)', () => {
  const checked = { enableA2AGroundingCheck: true };
  const reading = calling({ name: 'get_order', arguments: {} });

  // proves configuration-2-85
  it('is shown when nothing in it lacks support', async () => {
    const { client, model } = await served([reading, saying('Read by a2a.'), saying('{"answer": false}')], checked);
    const { reply } = await readStream(client.sendMessageStream(asking('Who reads?')));
    expect(reply).toBe('Read by a2a.');
    const [asked] = sentTo(model, 2).messages.slice(-1);
    expect(asked?.content).toContain('"channel":"a2a"');
    expect(asked?.content).toContain('Read by a2a.');
  });

  // proves configuration-2-85
  it('is replaced by a refusal when something does, and no word of it is told before', async () => {
    const { client } = await served([reading, saying('It is ', 'green.'), saying('{"answer": true}')], checked);
    const told: string[] = [];
    for await (const event of client.sendMessageStream(asking('My order?'))) told.push(JSON.stringify(event));
    expect(told.join('\n')).not.toContain('green');
    expect(told.join('\n')).toContain('What I found does not support an answer, so I cannot give one.');
  });

  // proves configuration-2-85
  it.each([
    ['prose', saying('I think it is fine.')],
    ['two verdicts', saying('{"answer": true, "answer": false}')],
    ['nothing', hangingAfter('')],
  ])('stands when the verdict is %s', async (_what, verdict) => {
    const { client } = await served([reading, saying('Read by a2a.'), verdict], {
      ...checked,
      safetyCheckTimeout: '1s',
    });
    expect(replyOf(await taskOf(client.sendMessage(asking('Who reads?'))))).toBe('Read by a2a.');
  });

  it('is not compared in the chat of users', async () => {
    const { url, model } = await served([reading, saying('It is green.')], checked);
    const answer = await fetch(`${url}/helper/chat?message=Hi`);
    expect(await answer.text()).toContain('green');
    expect(model.requests).toHaveLength(2);
  });
});

describe('whose a task is (contract/a2a-server.md#whose-tasks)', () => {
  // proves service-4.8-22
  it('is told to its user alone, and nobody else learns that it exists', async () => {
    const { url } = await served([saying('For Ann.')], signIn);
    const [ann, eve, nobody] = [await userClient(url, 'ann'), await userClient(url, 'eve'), await a2aClient(url)];
    const { id } = await taskOf(ann.sendMessage(asking('Hi')));
    expect(replyOf(await ann.getTask({ tenant: '', id }))).toBe('For Ann.');
    for (const other of [eve, nobody]) {
      await expect(other.getTask({ tenant: '', id })).rejects.toBeInstanceOf(TaskNotFoundError);
      await expect(other.cancelTask({ tenant: '', id, metadata: undefined })).rejects.toBeInstanceOf(TaskNotFoundError);
      await expect(readStream(other.resubscribeTask({ tenant: '', id }))).rejects.toBeInstanceOf(TaskNotFoundError);
      await expect(other.sendMessage(asking('Hi', { message: { taskId: id } }))).rejects.toBeInstanceOf(
        TaskNotFoundError,
      );
    }
  });

  it('lists the tasks of its user, by pages and by what is asked', async () => {
    const { url } = await served([saying('One.'), saying('Two.'), saying('Three.'), saying('Eve.')], signIn);
    const [ann, eve] = [await userClient(url, 'ann'), await userClient(url, 'eve')];
    for (const contextId of ['a', 'b', 'a']) {
      await taskOf(ann.sendMessage(asking('Hi', { message: { contextId } })));
    }
    await taskOf(eve.sendMessage(asking('Hi')));
    const all = await ann.listTasks({ ...everyTask, includeArtifacts: true });
    expect(all.totalSize).toBe(3);
    expect(all.tasks.map(replyOf)).toEqual(['Three.', 'Two.', 'One.']);
    const page = await ann.listTasks({ ...everyTask, pageSize: 2 });
    expect(page.tasks.map(replyOf)).toEqual(['', '']);
    const rest = await ann.listTasks({
      ...everyTask,
      pageSize: 2,
      pageToken: page.nextPageToken,
      includeArtifacts: true,
    });
    expect([rest.tasks.map(replyOf), rest.nextPageToken]).toEqual([['One.'], '']);
    expect((await ann.listTasks({ ...everyTask, contextId: 'b' })).totalSize).toBe(1);
    expect((await ann.listTasks({ ...everyTask, status: TaskState.TASK_STATE_FAILED })).tasks).toEqual([]);
    const later = new Date(Date.now() + 60_000).toISOString();
    expect((await ann.listTasks({ ...everyTask, statusTimestampAfter: later })).tasks).toEqual([]);
  });

  it('is told as it ended, also to whoever reads it at that moment', async () => {
    const { url } = await served([], { ...signIn, server: { resumeWindow: '0s' } });
    const ann = await userClient(url, 'ann');
    let isDone = false;
    const reading = Array.from({ length: 4 }, async () => {
      while (!isDone) await ann.listTasks({ ...everyTask, pageSize: 100 });
    });
    const ids: string[] = [];
    for (let round = 0; round < 10; round += 1) {
      const sent = Array.from({ length: 4 }, () => taskOf(ann.sendMessage(asking('Hi'))));
      ids.push(...(await Promise.all(sent)).map(({ id }) => id));
    }
    isDone = true;
    await Promise.all(reading);
    const { tasks } = await ann.listTasks({ ...everyTask, pageSize: 100 });
    expect(tasks.map(({ status }) => status?.state)).toEqual(ids.map(() => TaskState.TASK_STATE_COMPLETED));
  });

  // proves service-4.8-23
  it('of a caller without a name is found by its id, and never listed', async () => {
    const { url, client } = await served([saying('For whoever has the id.')]);
    const { id } = await taskOf(client.sendMessage(asking('Hi')));
    expect(replyOf(await (await a2aClient(url)).getTask({ tenant: '', id }))).toBe('For whoever has the id.');
    expect(await client.listTasks(everyTask)).toMatchObject({ tasks: [], totalSize: 0 });
  });

  // proves service-4.8-25
  it('goes when its user is erased', async () => {
    const { url } = await served([saying('For Ann.')], signIn);
    const token = await makeToken({ sub: 'ann' });
    const ann = await a2aClient(url, token);
    const { id } = await taskOf(ann.sendMessage(asking('Hi')));
    const erased = await fetch(`${url}/helper/user-data`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await erased.json()).toMatchObject({ tasks: 1 });
    await expect(ann.getTask({ tenant: '', id })).rejects.toBeInstanceOf(TaskNotFoundError);
  });
});

describe('who may ask (contract/a2a-server.md#who-may-ask)', () => {
  // proves service-4.8-01
  it('is nobody by default', async () => {
    const { url } = await scriptedServer({ scripts: [], plugin });
    expect((await posting(url, {})).status).toBe(404);
    expect((await fetch(`${url}/.well-known/agent-card.json`)).status).toBe(404);
  });

  // proves service-4.8-02
  it('refuses settings of the endpoint without an A2A server', async () => {
    const starting = scriptedServer({ scripts: [], plugin, settings: { endpoints: { a2a: { roles: ['Agent'] } } } });
    await expect(starting).rejects.toThrow('endpoints.a2a: has no effect while a2aServerEnabled is false');
  });

  // proves configuration-4-40
  it('is served alone where there is no chat', async () => {
    const { url, client } = await served([saying('Done.')], {
      ...signIn,
      mcpServerEnabled: true,
      server: { channels: [] },
    });
    expect(replyOf(await taskOf(client.sendMessage(asking('Hi'))))).toBe('Done.');
    expect((await fetch(`${url}/mcp`, { method: 'GET' })).status).not.toBe(404);
    for (const path of [
      '/helper-hub/negotiate',
      '/helper/chat',
      '/helper/approve',
      '/helper/session',
      '/helper/tour',
    ]) {
      expect((await fetch(url + path)).status, path).toBe(404);
    }
    const headers = { authorization: `Bearer ${await makeToken({ sub: 'ann' })}` };
    const erased = await fetch(`${url}/helper/user-data`, { method: 'DELETE', headers });
    expect(erased.status).toBe(200);
  });

  // proves configuration-5-50
  it('is nobody where auth.jwt is missing but required, which is a fault', async () => {
    const settings = { a2aServerEnabled: true, endpoints: { a2a: { requireAuthorization: true, roles: ['Agent'] } } };
    await expect(scriptedServer({ scripts: [], plugin, settings })).rejects.toMatchObject({
      faults: [
        expect.objectContaining({ path: 'endpoints.a2a.requireAuthorization' }),
        expect.objectContaining({ path: 'endpoints.a2a.roles' }),
      ],
    });
  });

  // proves configuration-5-50
  it('are users with the role, where a role is needed: for the card as well', async () => {
    const { url, model } = await scriptedServer({
      scripts: [calling({ name: 'get_order', arguments: {} }), saying('Blue.')],
      plugin,
      settings: { a2aServerEnabled: true, ...signIn, endpoints: { a2a: { roles: ['Agent'] } } },
    });
    const card = `${url}/.well-known/agent-card.json`;
    expect((await fetch(card)).status).toBe(401);
    expect((await posting(url, {})).status).toBe(401);
    const eve = await makeToken({ sub: 'eve' });
    expect((await fetch(card, { headers: { authorization: `Bearer ${eve}` } })).status).toBe(403);
    const bot = await userClient(url, 'bot', { roles: ['Agent'] });
    await taskOf(bot.sendMessage(asking('My order?')));
    expect(sentTo(model, 1).messages.at(-1)?.content).toContain('"user":"bot"');
  });

  // proves configuration-5-50, wire-1-96
  it('is no website of another origin, and no cookie signs anybody in', async () => {
    const { url } = await scriptedServer({
      scripts: [],
      plugin,
      settings: {
        a2aServerEnabled: true,
        auth: { jwt: { secret: tokenSecret, cookie: 'session' } },
        endpoints: { a2a: { requireAuthorization: true } },
      },
    });
    const cookie = `session=${await makeToken({ sub: 'ann' })}`;
    expect((await posting(url, {}, { cookie })).status).toBe(401);
    expect((await posting(url, {}, { origin: 'https://elsewhere.example' })).status).toBe(403);
  });

  // proves service-8-30
  it('counts messages of users, and not those of callers without a name', async () => {
    const { url } = await served([], { ...signIn, rateLimitPerUser: 1, rateLimitWindowSecs: 60 });
    const [ann, nobody] = [await userClient(url, 'ann'), await a2aClient(url)];
    const stateOf = async (client: Client) => (await taskOf(client.sendMessage(asking('Hi')))).status?.state;
    expect(await stateOf(ann)).toBe(TaskState.TASK_STATE_COMPLETED);
    const second = await taskOf(ann.sendMessage(asking('Hi')));
    expect(second.status?.state).toBe(TaskState.TASK_STATE_REJECTED);
    expect(wordsOf(second)).toContain('many messages');
    expect([await stateOf(nobody), await stateOf(nobody)]).toEqual([
      TaskState.TASK_STATE_COMPLETED,
      TaskState.TASK_STATE_COMPLETED,
    ]);
  });

  // proves service-8-30
  it('has as many turns running as callers may have', async () => {
    const { url } = await served([hangingAfter('One moment')], { server: { maxTurnsPerAddress: 1 } });
    const stream = (await a2aClient(url)).sendMessageStream(asking('Count'));
    await stream.next();
    const params = { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'Hi' }] } };
    const second = await posting(url, { jsonrpc: '2.0', id: 1, method: 'SendMessage', params });
    expect(second.status).toBe(429);
    await stream.return();
  });

  // proves service-8-30
  it('sends as many requests as endpoints.a2a.rateLimit says', async () => {
    const { url } = await scriptedServer({
      scripts: [],
      plugin,
      settings: { a2aServerEnabled: true, endpoints: { a2a: { rateLimit: { max: 2, window: '1m' } } } },
    });
    const statuses = [];
    for (let sent = 0; sent < 3; sent += 1) statuses.push((await posting(url, {})).status);
    expect(statuses).toEqual([200, 200, 429]);
  });
});
