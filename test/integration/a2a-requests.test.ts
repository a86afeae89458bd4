import { TaskState } from '@a2a-js/sdk';
import { describe, expect, it } from 'vitest';
import { a2aClient, asking, posting, replyOf, taskOf } from '../support/a2a-client.ts';
import { chunk, ending, type ModelScript, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';

const plugin = `
export default {
  name: 'desk',
  actions: [{ name: 'get_order', description: 'Reads an order.', readOnly: true,
    parameters: { type: 'object', properties: {} }, execute: () => 'blue' }],
};`;

async function served(scripts: readonly ModelScript[], settings: object = {}) {
  return scriptedServer({ scripts, plugin, settings: { a2aServerEnabled: true, ...settings } });
}

const message = (parts: readonly object[], more: object = {}) => ({
  message: { messageId: 'm-1', role: 'ROLE_USER', parts, ...more },
});

const rpc = (method: string, params: unknown, more: object = {}) => ({
  ...{ jsonrpc: '2.0', id: 1, method, params },
  ...more,
});

const sending = (parts: readonly object[], more: object = {}) => rpc('SendMessage', message(parts, more));
const hello = [{ text: 'Hello' }];

/** Lists in lists, which a reader that calls itself cannot read. */
const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

const text = JSON.stringify;

/** What the server answers to each, and that it has asked no model. */
const hostile: readonly (readonly [string, unknown, number])[] = [
  ['no JSON', '{"jsonrpc": "2.0", ', -32700],
  ['an empty body', '', -32700],
  ['a text', '"SendMessage"', -32600],
  ['a batch', [sending(hello), sending(hello)], -32600],
  ['a notification, which would run without an answer', { ...sending(hello), id: undefined }, -32600],
  ['an id that is an object', { ...sending(hello), id: {} }, -32600],
  ['an id of 10,000 characters', { ...sending(hello), id: 'x'.repeat(10_000) }, -32600],
  ['another version of JSON-RPC', { ...sending(hello), jsonrpc: '1.0' }, -32600],
  ['no method', { ...sending(hello), method: undefined }, -32600],
  ['an unknown method', rpc('DeleteEverything', {}), -32601],
  ['a method by the name of a member of objects', rpc('constructor', {}), -32601],
  ['parameters that are a list', rpc('SendMessage', []), -32602],
  ['no message', rpc('SendMessage', {}), -32602],
  ['no parts', sending([]), -32602],
  ['parts that are no list', sending(hello, { parts: { text: 'Hello' } }), -32602],
  ['a part without content', sending([{}]), -32005],
  ['a blank text', sending([{ text: '  \n ' }]), -32602],
  ['51 parts', sending(Array.from({ length: 51 }, () => ({ text: 'x' }))), -32602],
  ['a part that is null', text(sending([{ text: 'HERE' }])).replace('{"text":"HERE"}', 'null'), -32602],
  ['a text that is an object', sending([{ text: { a: 1 } }]), -32602],
  ['bytes that are a number', sending([{ raw: 5, mediaType: 'image/png' }]), -32602],
  ['a picture where pictures are off', sending([{ text: 'Look' }, { raw: 'AAAA', mediaType: 'image/png' }]), -32005],
  [
    'a flag that is a text',
    rpc('SendMessage', { ...message(hello), configuration: { returnImmediately: 'false' } }),
    -32602,
  ],
  ['a state that there is not', rpc('ListTasks', { status: 'FOO' }), -32602],
  ['no id of the message', sending(hello, { messageId: '' }), -32602],
  ['a message of the agent', sending(hello, { role: 'ROLE_AGENT' }), -32602],
  ['a role of nobody', sending(hello, { role: 'ROLE_ADMIN' }), -32602],
  ['an id with a line break', sending(hello, { contextId: 'a\nb' }), -32602],
  ['an id of 200 characters', sending(hello, { contextId: 'c'.repeat(200) }), -32602],
  ['an address of the cloud', sending([{ url: 'http://169.254.169.254/latest/meta-data' }]), -32005],
  ['a file', sending([{ raw: 'AAAA', mediaType: 'application/pdf', filename: '../../etc/passwd' }]), -32005],
  ['data', sending([{ data: { approved: true } }]), -32005],
  ['data that is 20,000 deep', text(sending([{ data: 'HERE' }])).replace('"HERE"', deep), -32600],
  ['metadata that is 20,000 deep', text(sending(hello, { metadata: 'HERE' })).replace('"HERE"', deep), -32600],
  ['a task of somebody else', sending(hello, { taskId: 'AAAAAAAAAAAAAAAAAAAAAA' }), -32001],
  ['a task with an id of a path', rpc('GetTask', { id: '../../tasks' }), -32001],
  ['no id of a task', rpc('GetTask', {}), -32602],
  ['a page of 10,000', rpc('ListTasks', { pageSize: 10_000 }), -32602],
  ['a page token that is made up', rpc('ListTasks', { pageToken: "1' or 1=1" }), -32602],
  ['a moment that is none', rpc('ListTasks', { statusTimestampAfter: 'yesterday' }), -32602],
  ['a stream of a task that is not there', rpc('SubscribeToTask', { id: 'AAAAAAAAAAAAAAAAAAAAAA' }), -32001],
  [
    'a wish to be called back',
    rpc('SendMessage', {
      ...message(hello),
      configuration: { taskPushNotificationConfig: { url: 'http://127.0.0.1:1' } },
    }),
    -32003,
  ],
  [
    'a place to be called back at',
    rpc('CreateTaskPushNotificationConfig', { taskId: 'x', url: 'http://127.0.0.1:1' }),
    -32003,
  ],
  ['another card', rpc('GetExtendedAgentCard', {}), -32004],
];

describe('a request that is not sound (contract/a2a-server.md#requests)', () => {
  // proves service-4.8-09, service-4.8-10
  it.each(hostile)('%s is answered with its fault, and nothing begins', async (_what, body, code) => {
    const { url, model } = await served([saying('Hello.')]);
    const answer = await posting(url, body);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { error } = (await answer.json()) as { error: { code: number; message: string } };
    expect(error.code).toBe(code);
    expect(error.message).not.toMatch(/undefined|null|Cannot|argument/u);
    expect(model.requests).toEqual([]);
    expect(replyOf(await taskOf((await a2aClient(url)).sendMessage(asking('Hi'))))).toBe('Hello.');
  });

  // proves service-4.8-08
  it.each([
    ['of version 0.3, which is meant without a header', undefined],
    ['of a version that there is not', '7.0'],
    ['of many versions', '1.0, 0.3'],
  ])('%s is told which one is served', async (_what, version) => {
    const { url, model } = await served([]);
    const headers = { 'content-type': 'application/json', ...(version && { 'a2a-version': version }) };
    const answer = await fetch(`${url}/a2a`, { method: 'POST', headers, body: text(sending(hello)) });
    expect(await answer.json()).toMatchObject({ id: 1, error: { code: -32009 } });
    expect(model.requests).toEqual([]);
  });

  it('of another content type or of more bytes than a message may have is refused at the door', async () => {
    const { url } = await served([]);
    const form = await posting(url, 'a=b', { 'content-type': 'application/x-www-form-urlencoded' });
    expect(form.status).toBe(415);
    const large = await posting(url, sending([{ text: 'x'.repeat(5_000_000) }]));
    expect(large.status).toBe(413);
  });

  it('for a history of less than nothing is answered with its fault, though the task is there', async () => {
    const { url } = await served([saying('Hello.')]);
    const { id } = await taskOf((await a2aClient(url)).sendMessage(asking('Hi')));
    const answer = await posting(url, rpc('GetTask', { id, historyLength: -1 }));
    expect(await answer.json()).toMatchObject({ error: { code: -32602 } });
  });

  it('without a body is answered with its fault', async () => {
    const { url } = await served([]);
    const answer = await fetch(`${url}/a2a`, { method: 'POST' });
    expect([answer.status, await answer.json()]).toMatchObject([200, { error: { code: -32700 } }]);
  });

  it('by another method than POST is not served', async () => {
    const { url } = await served([]);
    expect((await fetch(`${url}/a2a`)).status).toBe(405);
  });

  it('to the address with a slash at its end is the same', async () => {
    const { url } = await served([saying('Hello.')]);
    const answer = await fetch(`${url}/a2a/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
      body: text(sending(hello)),
    });
    expect(await answer.json()).toMatchObject({ result: { task: { status: { state: 'TASK_STATE_COMPLETED' } } } });
  });
});

describe('what a client sends that is not asked for (contract/a2a-server.md#messages)', () => {
  // proves service-4.8-12
  it('is neither kept nor sent back', async () => {
    const { url } = await served([saying('Hello.')]);
    const secret = { note: 'do not keep this' };
    const answer = await posting(
      url,
      sending(hello, { metadata: secret, extensions: ['urn:x'], referenceTaskIds: ['t'] }),
    );
    const told = await answer.text();
    expect(told).not.toContain('do not keep this');
    const { id } = (JSON.parse(told) as { result: { task: { id: string } } }).result.task;
    const kept = await (await posting(url, rpc('GetTask', { id }))).text();
    expect(kept).toContain('Hello.');
    for (const added of ['do not keep this', 'urn:x', 'referenceTaskIds']) expect(kept).not.toContain(added);
  });

  // proves service-4.8-12
  it('is kept in part where it is long', async () => {
    const { url } = await served([], { maxMessageLength: 1_000, enableImageInput: true });
    const task = await taskOf((await a2aClient(url)).sendMessage(asking('x'.repeat(1_000_000))));
    expect(task.status?.state).toBe(TaskState.TASK_STATE_REJECTED);
    expect(JSON.stringify(task).length).toBeLessThan(30_000);
  });
});

describe('a stream of a task (contract/a2a-server.md#streams)', () => {
  // proves service-4.8-26
  it('has pieces while the reply is made, and the state at its end', async () => {
    const go = Promise.withResolvers<undefined>();
    const slow: ModelScript = async (exchange) => {
      await exchange.send(chunk({ content: 'Two ' }));
      await go.promise;
      await exchange.send(`${chunk({ content: 'orders.' })}${ending()}`);
      exchange.end();
    };
    const { url } = await served([slow]);
    const answer = await posting(url, rpc('SendStreamingMessage', message(hello)));
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    let received = '';
    const decoder = new TextDecoder();
    for await (const piece of answer.body ?? []) {
      received += decoder.decode(piece as Uint8Array, { stream: true });
      if (received.includes('"Two "')) go.resolve(undefined);
    }
    const frames = received
      .split('\n\n')
      .filter((frame) => frame.startsWith('data: '))
      .map((frame) => JSON.parse(frame.slice(6)) as { id: number; result: Record<string, unknown> });
    expect(frames.map(({ result }) => Object.keys(result)[0])).toEqual([
      'task',
      'artifactUpdate',
      'artifactUpdate',
      'statusUpdate',
    ]);
    expect(frames.map(({ id }) => id)).toEqual([1, 1, 1, 1]);
    expect(frames[2]?.result).toMatchObject({ artifactUpdate: { append: true } });
    expect(frames[3]?.result).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } });
  });
});
