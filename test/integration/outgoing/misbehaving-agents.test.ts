import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { RemoteAgentFault } from '../../../src/core/ports/remote-agent.ts';
import { openAgent, shortLimits, testLimits } from '../../support/asked-agent.ts';
import {
  cardJson,
  type RemoteAnswer,
  type RemoteCall,
  type RemoteServer,
  rpcResult,
  sendJson,
  startRemoteServer,
} from '../../support/remote-agent-server.ts';

const mebibyte = 1024 * 1024;

/** What an agent does wrong, and what comes of it. */
interface Misbehaviour {
  readonly title: string;
  /** What it says in its card, with its own address. Default: a true card. */
  readonly card?: (url: string) => RemoteAnswer;
  /** Whether its card says that it streams. */
  readonly streaming?: boolean;
  readonly rpc?: RemoteAnswer;
  /** The fault, without the name of the agent; or the reply, where it is worth one. */
  readonly fault?: string;
  readonly reply?: { readonly asksBack: boolean; readonly length: number };
}

const silence: RemoteAnswer = () => undefined;
const neverEnding = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } };

/** Ten ways in which an agent misbehaves, and others that are close to them. */
const misbehaviours: readonly Misbehaviour[] = [
  {
    title: '1. slow: it answers after the limit',
    rpc: (response, call) => later(response, call),
    fault: 'did not answer in time',
  },
  {
    title: '1. slow: its task works for ever',
    rpc: (response, call) =>
      sendJson(rpcResult(call, call.method === 'GetTask' ? neverEnding : { task: neverEnding }))(response, call),
    fault: 'did not answer in time',
  },
  {
    title: '1. slow: its stream says for ever that it works',
    streaming: true,
    rpc: (response, call) => {
      if (call.method === 'CancelTask') return sendJson(rpcResult(call, neverEnding))(response, call);
      return repeat(stream(response), () => event(call, { task: neverEnding }), 50);
    },
    fault: 'did not answer in time',
  },
  { title: '2. silent: no answer to a message', rpc: silence, fault: 'did not answer in time' },
  {
    title: '2. silent: a stream without an event',
    streaming: true,
    rpc: (response) => void stream(response),
    fault: 'did not answer in time',
  },
  { title: '2. silent: no card', card: () => silence, fault: 'did not answer in time' },
  {
    title: '2. silent: keep-alives for ever',
    streaming: true,
    rpc: (response) => repeat(stream(response), () => ': ping\n\n'),
    fault: 'did not answer in time',
  },
  {
    title: '3. dies mid-stream, before a task',
    streaming: true,
    rpc: (response) => {
      stream(response).write('data: {"jsonrpc":', () => response.destroy());
    },
    fault: 'broke off the connection',
  },
  {
    title: '3. dies mid-stream, with a task that nobody finds again',
    streaming: true,
    rpc: (response, call) => {
      if (call.method === 'SendStreamingMessage') {
        stream(response).write(event(call, { task: neverEnding }), () => response.destroy());
      } else response.destroy();
    },
    fault: 'could not be reached',
  },
  {
    title: '3. dies mid-answer',
    rpc: (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
      response.write('{', () => response.destroy());
    },
    fault: 'broke off the connection',
  },
  {
    title: '4. floods with events that say nothing',
    streaming: true,
    rpc: (response, call) => repeat(stream(response), () => event(call, {}).repeat(500)),
    fault: 'sent more events than the server reads',
  },
  {
    title: '4. floods with text',
    streaming: true,
    rpc: (response, call) => {
      if (call.method === 'CancelTask') return sendJson(rpcResult(call, neverEnding))(response, call);
      return repeat(stream(response), () => event(call, { artifactUpdate: piece('x'.repeat(10_000)) }));
    },
    reply: { asksBack: false, length: mebibyte + ' […]'.length },
  },
  {
    title: '4. floods with ids',
    streaming: true,
    rpc: (response, call) =>
      void stream(response).write(event(call, { task: { ...neverEnding, id: 'x'.repeat(10_000) } })),
    fault: 'gave an id that is too long',
  },
  {
    title: '5. wrong card: not JSON',
    card: () => raw('application/json', '{'),
    fault: 'has a card that cannot be read',
  },
  { title: '5. wrong card: a list', card: () => sendJson([]), fault: 'has a card that cannot be read' },
  {
    title: '5. wrong card: of something else',
    card: () => sendJson({ name: 'x' }),
    fault: 'has a card without an interface for JSON-RPC',
  },
  {
    title: '5. wrong card: wrong types throughout',
    card: () => sendJson({ name: 1, supportedInterfaces: { url: [] }, capabilities: 'all' }),
    fault: 'has a card without an interface for JSON-RPC',
  },
  {
    title: '5. wrong card: too large',
    card: (url) => sendJson({ ...cardJson(`${url}/rpc`), description: 'x'.repeat(256 * 1024) }),
    fault: 'sent more than the server reads',
  },
  {
    title: '6. redirects: the card',
    card: () => redirect('/elsewhere'),
    fault: 'sent a redirect, which is not followed',
  },
  { title: '6. redirects: a message', rpc: redirect('/rpc'), fault: 'sent a redirect, which is not followed' },
  {
    title: '7. lies about its interfaces: another host',
    card: () => sendJson(cardJson('http://169.254.169.254/latest/meta-data')),
    fault: 'has a card whose interfaces are of another origin',
  },
  {
    title: '7. lies about its interfaces: the same host at another port',
    card: () => sendJson(cardJson('http://127.0.0.1:1/rpc')),
    fault: 'has a card whose interfaces are of another origin',
  },
  {
    title: '7. lies about its interfaces: no address',
    card: () => sendJson(cardJson('not an address')),
    fault: 'has a card whose interfaces are of another origin',
  },
  {
    title: '8. asks for ever',
    rpc: (response, call) => {
      const task = { ...neverEnding, status: { state: 'TASK_STATE_INPUT_REQUIRED', message: said('Why?') } };
      return sendJson(rpcResult(call, call.method === 'GetTask' ? task : { task }))(response, call);
    },
    reply: { asksBack: true, length: 'Why?'.length },
  },
  {
    title: '9. returns HTML: as its card',
    card: () => html,
    fault: 'gave an answer that is neither JSON nor an event stream',
  },
  {
    title: '9. returns HTML: to a message',
    rpc: (response, call) => html(response, call),
    fault: 'gave an answer that is neither JSON nor an event stream',
  },
  {
    title: '9. returns HTML: and calls it JSON',
    rpc: raw('application/json', '<!doctype html><title>Sign in</title>'),
    fault: 'gave an answer that cannot be read',
  },
  {
    title: '9. returns HTML: and calls it a stream',
    streaming: true,
    rpc: raw('text/event-stream', '<!doctype html><title>Sign in</title>'),
    fault: 'ended its answer without a reply',
  },
  {
    title: '10. returns 100 MB: as its card',
    card: () => hundredMegabytes('application/json'),
    fault: 'sent more than the server reads',
  },
  {
    title: '10. returns 100 MB: to a message',
    rpc: hundredMegabytes('application/json'),
    fault: 'sent more than the server reads',
  },
  {
    title: '10. returns 100 MB: as one event',
    streaming: true,
    rpc: hundredMegabytes('text/event-stream'),
    fault: 'sent more than the server reads',
  },
  {
    title: '10. returns 100 MB: compressed',
    rpc: (response) =>
      void response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end('x'),
    fault: 'gave a compressed answer, which was not asked for',
  },
  {
    title: '11. returns 100,000 parts: to a message',
    rpc: (response, call) => sendJson(rpcResult(call, { message: inParts(100_000) }))(response, call),
    fault: 'sent more than the server reads',
  },
  {
    title: '11. returns 100,000 parts: as one event, in many lines',
    streaming: true,
    rpc: (response, call) => {
      const lines = event(call, { message: inParts(100_000) }).replaceAll('{"text"', '\ndata: {"text"');
      stream(response).end(lines);
    },
    fault: 'sent more than the server reads',
  },
  {
    title: '11. returns 200,000 numbers in place of messages',
    rpc: (response, call) =>
      sendJson(rpcResult(call, { task: { ...neverEnding, history: Array(200_000).fill(0) } }))(response, call),
    fault: 'sent more than the server reads',
  },
  {
    title: '11. returns 100,000 parts: in a thousand events',
    streaming: true,
    rpc: (response, call) => {
      const update = { ...piece(''), artifact: { artifactId: 'a', parts: Array(100).fill({ text: '{"' }) } };
      const end = event(call, { message: said('') });
      stream(response).end(event(call, { artifactUpdate: update }).repeat(1_000) + end);
    },
    reply: { asksBack: false, length: 200_000 },
  },
];

describe('a remote agent that misbehaves (contract/agents.md#remote-agents)', () => {
  // proves service-2.18-05, service-2.18-12, service-2.18-13, service-2.18-14
  it.each(misbehaviours)(
    'ends within its limits: $title',
    async ({ card, streaming = false, rpc = silence, fault, reply }) => {
      const server = await startRemoteServer(silence, rpc);
      server.card = card?.(server.url) ?? sendJson(cardJson(`${server.url}/rpc`, { streaming }));
      const isLate = fault === 'did not answer in time';
      const { ask, agent } = openAgent(server.url, { limits: isLate ? shortLimits : testLimits });
      const before = process.memoryUsage();
      const asked = ask('Hello', { thread: { contextId: 'c' } });
      if (fault === undefined) expect(lengthsOf(await asked)).toEqual(reply);
      else await expect(asked).rejects.toThrow(new RemoteAgentFault(`Warehouse ${fault}`));
      expect(heldSince(before)).toBeLessThan(48 * mebibyte);
      await nothingOpen(server);
      await agent.close();
    },
  );

  it('8. asks for ever: each question is one reply, in the same task', async () => {
    const { ask } = openAgent(await askingForEver());
    let { thread } = await ask('Hello');
    for (const _round of [1, 2, 3]) {
      expect(thread).toEqual({ contextId: 'c', taskId: 't' });
      ({ thread } = await ask('Because.', { thread }));
    }
  });
});

async function askingForEver(): Promise<string> {
  let count = 0;
  const server = await startRemoteServer(silence, (response, call) => {
    if (call.method !== 'GetTask') count += 1;
    const status = { state: 'TASK_STATE_INPUT_REQUIRED', message: said(`Why? ${String(count)}`) };
    const task = { ...neverEnding, status };
    return sendJson(rpcResult(call, call.method === 'GetTask' ? task : { task }))(response, call);
  });
  server.card = sendJson(cardJson(`${server.url}/rpc`));
  return server.url;
}

function lengthsOf({ asksBack, text, pieces }: { asksBack: boolean; text: string; pieces: readonly string[] }): object {
  expect(pieces.join('')).toBe(text);
  return { asksBack, length: text.length };
}

/** Bytes of buffers and strings that the process holds more than before. The sending side is in the same process. */
function heldSince(before: NodeJS.MemoryUsage): number {
  const now = process.memoryUsage();
  return now.arrayBuffers - before.arrayBuffers;
}

async function nothingOpen(server: RemoteServer): Promise<void> {
  await vi.waitFor(() => expect(server.openSockets()).toBe(0));
}

/** Answers properly, but too late. */
async function later(response: ServerResponse, call: RemoteCall): Promise<void> {
  await wait(shortLimits.totalMs, undefined, { ref: false });
  if (!response.destroyed) await sendJson(rpcResult(call, { message: said('Here I am.') }))(response, call);
}

function stream(response: ServerResponse): ServerResponse {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  return response;
}

function event(call: RemoteCall, result: object): string {
  return `data: ${JSON.stringify(rpcResult(call, result))}\n\n`;
}

function piece(text: string): object {
  return { taskId: 't', contextId: 'c', append: true, artifact: { artifactId: 'a', parts: [{ text }] } };
}

function inParts(count: number): object {
  return { ...said(''), parts: Array(count).fill({ text: '.' }) };
}

function said(text: string): object {
  return { messageId: crypto.randomUUID(), role: 'ROLE_AGENT', contextId: 'c', parts: [{ text }] };
}

/** Writes again and again, until nobody reads any more. */
async function repeat(response: ServerResponse, text: () => string, pauseMs = 1): Promise<void> {
  while (!response.destroyed) {
    const isTaken = response.write(text());
    await (isTaken ? wait(pauseMs, undefined, { ref: false }) : drained(response));
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.on('drain', go).on('close', go);
  });
}

function redirect(location: string): RemoteAnswer {
  return (response) => void response.writeHead(307, { location }).end();
}

function raw(type: string, body: string): RemoteAnswer {
  return (response) => void response.writeHead(200, { 'content-type': type }).end(body);
}

function html(response: ServerResponse, call: RemoteCall): void | Promise<void> {
  return raw('text/html; charset=utf-8', '<!doctype html><title>Sign in</title>')(response, call);
}

function hundredMegabytes(type: string): RemoteAnswer {
  return async (response) => {
    response.writeHead(200, { 'content-type': type });
    const part = 'x'.repeat(mebibyte);
    response.write('data: "');
    for (let written = 0; written < 100 && !response.destroyed; written += 1) {
      if (!response.write(part)) await drained(response);
    }
    response.end();
  };
}
