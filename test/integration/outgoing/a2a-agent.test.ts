import { TaskState } from '@a2a-js/sdk';
import { describe, expect, it, vi } from 'vitest';
import { RemoteAgentFault } from '../../../src/core/ports/remote-agent.ts';
import { openAgent, testLimits } from '../../support/asked-agent.ts';
import {
  type AgentWork,
  cardJson,
  type RemoteAnswer,
  type RemoteServer,
  rpcError,
  rpcResult,
  sendJson,
  startRemoteAgent,
  startRemoteServer,
} from '../../support/remote-agent-server.ts';

const { TASK_STATE_WORKING, TASK_STATE_COMPLETED, TASK_STATE_INPUT_REQUIRED } = TaskState;

/** Counts a shelf in two pieces, and says the end of it twice, as many agents do. */
function count({ begin, status, artifact }: AgentWork): void {
  begin();
  status(TASK_STATE_WORKING, { text: 'I look.' });
  artifact('answer', 'There are ');
  artifact('answer', '12 pallets.', true);
  status(TASK_STATE_COMPLETED, { text: 'There are 12 pallets.' });
}

describe.each([
  ['a streaming agent', true, '1.0'],
  ['an agent that is polled', false, '1.0'],
  ['a streaming agent of version 0.3', true, '0.3'],
  ['a polled agent of version 0.3', false, '0.3'],
] as const)('%s (contract/agents.md#remote-agents)', (_title, streaming, version) => {
  // proves service-2.18-02
  it('answers with a message', async () => {
    const server = await startRemoteAgent({
      work: ({ message, text }) => message(`You said: ${text}`),
      streaming,
      version,
    });
    const { ask } = openAgent(server.url);
    const reply = await ask('Hello');
    expect(reply).toMatchObject({ text: 'You said: Hello', asksBack: false });
    expect(reply.thread?.contextId).toMatch(/./u);
    expect(reply.thread?.taskId).toBeUndefined();
  });

  // proves service-2.18-02
  it('answers with a task, and each text is told once', async () => {
    const server = await startRemoteAgent({ work: count, streaming, version });
    const reply = await openAgent(server.url).ask('How many?');
    expect(reply.text.replace('I look.\n\n', '')).toBe('There are 12 pallets.');
    expect(reply.pieces.join('')).toBe(reply.text);
    expect(reply.asksBack).toBe(false);
  });

  // proves service-2.18-09
  it('asks back, and goes on in the same task without saying anything again', async () => {
    const server = await startRemoteAgent({
      work: ({ begin, artifact, status, isNewTask, text }) => {
        begin();
        if (isNewTask) {
          artifact('first', 'Two halls have it.');
          status(TASK_STATE_INPUT_REQUIRED, { text: 'Which hall?' });
          return;
        }
        artifact('second', `In ${text}: 7.`);
        status(TASK_STATE_COMPLETED);
      },
      streaming,
      version,
    });
    const { ask } = openAgent(server.url);
    const question = await ask('How many?');
    expect(question).toMatchObject({ text: 'Two halls have it.\n\nWhich hall?', asksBack: true });
    expect(question.thread).toEqual({ contextId: expect.any(String), taskId: expect.any(String) });
    const answer = await ask('hall B', { thread: question.thread });
    expect(answer).toMatchObject({ text: 'In hall B: 7.', asksBack: false });
    expect(answer.thread).toEqual({ contextId: question.thread?.contextId });
  });

  // proves service-2.18-09
  it('begins a new task in the same conversation where the task that asked is over', async () => {
    const seen: boolean[] = [];
    const server = await startRemoteAgent({
      work: ({ message, isNewTask }) => {
        seen.push(isNewTask);
        message('Gladly.');
      },
      streaming,
      version,
    });
    const reply = await openAgent(server.url).ask('hall B', { thread: { contextId: 'c-1', taskId: 'forgotten' } });
    expect(reply).toMatchObject({ text: 'Gladly.', thread: { contextId: 'c-1' } });
    expect(seen).toEqual([true]);
  });

  // proves service-2.18-11
  it('has its task cancelled by a Stop, which waits for nothing', async () => {
    const stop = new AbortController();
    const cancelled = Promise.withResolvers<undefined>();
    const server = await startRemoteAgent({
      work: ({ begin, artifact, cancelled: signal }) => {
        begin();
        artifact('answer', 'I begin');
        return new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            cancelled.resolve(undefined);
            resolve();
          });
        });
      },
      streaming,
      version,
    });
    const { agent } = openAgent(server.url);
    const heard = Promise.withResolvers<undefined>();
    const asking = agent.ask({ text: 'Work', messageId: 'm', signal: stop.signal }, () => heard.resolve(undefined));
    const ended = expect(asking).rejects.toThrow('stopped by the user');
    await heard.promise;
    stop.abort(new Error('stopped by the user'));
    await ended;
    await cancelled.promise;
  });

  // proves service-2.18-10
  it.each([
    [TaskState.TASK_STATE_FAILED, 'Warehouse failed at the task'],
    [TaskState.TASK_STATE_REJECTED, 'Warehouse rejected the task'],
    [TaskState.TASK_STATE_CANCELED, 'Warehouse cancelled the task'],
    [TaskState.TASK_STATE_AUTH_REQUIRED, 'Warehouse wants a sign-in that this server cannot give'],
  ])('ends in the state %s without a reply, and its words are in no fault', async (state, message) => {
    const server = await startRemoteAgent({
      work: ({ begin, status }) => {
        begin();
        status(state, { text: 'secret words' });
      },
      streaming,
      version,
    });
    const { ask, agent } = openAgent(server.url);
    await expect(ask('Hello')).rejects.toThrow(new RemoteAgentFault(message));
    // It works, and is not paused.
    expect(agent.status).toBe('connected');
    await expect(ask('Hello')).rejects.toThrow(message);
  });
});

describe('the headers of a remote agent (contract/agents.md#remote-agents)', () => {
  // proves service-2.18-03, service-2.18-06
  it('go with the card and with every request, and the trace context goes with each request', async () => {
    const server = await startRemoteAgent({ work: ({ message }) => message('Yes.') });
    const { ask } = openAgent(server.url, { headers: { Authorization: 'Bearer w', 'Content-Type': 'text/plain' } });
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await ask('Hello', { traceparent });
    expect(server.methods()).toEqual(['card', 'SendMessage']);
    expect(server.calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer w', 'Bearer w']);
    expect(server.calls[1]?.headers).toMatchObject({ traceparent, 'content-type': 'application/json' });
  });

  // proves service-2.18-03
  it('are made of the user info of the address, which is sent to nobody else', async () => {
    const server = await startRemoteAgent({ work: ({ message }) => message('Yes.') });
    await openAgent(server.url.replace('http://', 'http://ann:s%40fe@')).ask('Hello');
    const basic = `Basic ${Buffer.from('ann:s@fe').toString('base64')}`;
    expect(server.calls.map(({ headers }) => headers.authorization)).toEqual([basic, basic]);
  });

  // proves service-2.18-04
  it('go nowhere else: an interface of another origin is not spoken with', async () => {
    const thief = await startRemoteAgent({ work: ({ message }) => message('Thank you.') });
    const server = await startRemoteServer(sendJson(cardJson(`${thief.url}/rpc`)), sendJson({}));
    await expect(openAgent(server.url, { headers: { Authorization: 'Bearer w' } }).ask('Hello')).rejects.toThrow(
      'Warehouse has a card whose interfaces are of another origin',
    );
    expect(thief.calls).toEqual([]);
  });
});

describe('a Stop (contract/agents.md#remote-agents)', () => {
  it.each([
    ['before anything is asked', (): AbortSignal => AbortSignal.abort(new Error('stopped by the user'))],
    [
      'while the card is awaited',
      (server: RemoteServer): AbortSignal => {
        const stop = new AbortController();
        server.card = () => {
          stop.abort(new Error('stopped by the user'));
        };
        return stop.signal;
      },
    ],
  ])('ends it %s, and is no failure of the agent', async (_title, stopOn) => {
    const server = await startRemoteAgent({ work: ({ message }) => message('Yes.') });
    const { card } = server;
    const { ask, agent } = openAgent(server.url);
    await expect(ask('Hello', { signal: stopOn(server) })).rejects.toThrow('stopped by the user');
    expect(agent.status).toBe('connecting');
    server.card = card;
  });
});

describe('the card of a remote agent (contract/agents.md#remote-agents)', () => {
  // proves service-2.18-01
  it.each([
    ['', '/.well-known/agent-card.json'],
    ['/', '/.well-known/agent-card.json'],
    ['/agents/warehouse', '/agents/warehouse/.well-known/agent-card.json'],
    ['/agents/warehouse/?key=1', '/agents/warehouse/.well-known/agent-card.json?key=1'],
    ['/.well-known/agent-card.json', '/.well-known/agent-card.json'],
  ])('of the address "%s" is at %s', async (path, card) => {
    const server = await startRemoteAgent({ work: ({ message }) => message('Yes.') });
    await openAgent(`${server.url}${path}`).ask('Hello');
    expect(server.calls[0]?.path).toBe(card);
  });

  // proves service-2.18-07
  it('is fetched in the background once the agent is opened, and asked for again when it is not fresh any more', async () => {
    const server = await startRemoteServer(sendJson({}), sendJson({}));
    const card = cardJson(`${server.url}/rpc`);
    server.card = (response, call) => {
      const headers = { etag: '"1"', 'cache-control': 'max-age=0' };
      if (call.headers['if-none-match'] === '"1"') response.writeHead(304, headers).end();
      else void sendJson(card, headers)(response, call);
    };
    const { agent, statuses } = openAgent(server.url, {
      limits: { ...testLimits, freshMs: { default: 60_000, least: 10, most: 20 } },
    });
    expect(agent.status).toBe('connecting');
    agent.open();
    await vi.waitFor(() => expect(server.calls.length).toBeGreaterThan(2));
    expect(server.calls[1]?.headers['if-none-match']).toBe('"1"');
    expect(statuses).toEqual(['connected']);
    agent.retire();
  });
});

describe('an agent that is away (contract/agents.md#remote-agents)', () => {
  // proves service-2.18-16
  it('is asked again only after a pause, and answers at once until then', async () => {
    const server = await startRemoteAgent({ work: ({ message }) => message('Yes.') });
    const { rpc } = server;
    const { ask, agent, statuses, log } = openAgent(server.url);
    await ask('Hello');
    server.rpc = (response) => void response.writeHead(503).end();
    await expect(ask('Hello')).rejects.toThrow('Warehouse answered with status 503');
    expect(agent.status).toBe('failed');
    const before = server.calls.length;
    await expect(ask('Hello')).rejects.toThrow('Warehouse is paused: it has failed, and is asked again later');
    expect(server.calls).toHaveLength(before);
    expect(log.lines.map(({ message }) => message)).toEqual(['a remote agent failed']);
    server.rpc = rpc;
    // Its card is fetched at the end of the pause, without anybody asking.
    await vi.waitFor(() => expect(agent.status).toBe('connected'));
    await expect(ask('Hello')).resolves.toMatchObject({ text: 'Yes.' });
    expect(statuses).toEqual(['connected', 'failed', 'connected']);
  });

  // proves service-2.18-17
  it.each<[string, RemoteAnswer, string]>([
    [
      'with an error of JSON-RPC',
      (response, call) => sendJson(rpcError(call, { code: -32603, message: 'secret words' }))(response, call),
      'Warehouse refused the message with the error -32603',
    ],
    ['with status 413', (response) => void response.writeHead(413).end(), 'Warehouse answered with status 413'],
  ])('is not one that refuses a single message: %s', async (_title, refusal, message) => {
    const server = await startRemoteAgent({ work: ({ message: say }) => say('Yes.') });
    const { rpc } = server;
    const { ask, agent } = openAgent(server.url);
    server.rpc = refusal;
    await expect(ask('Hello')).rejects.toThrow(new RemoteAgentFault(message));
    expect(agent.status).not.toBe('failed');
    server.rpc = rpc;
    await expect(ask('Hello')).resolves.toMatchObject({ text: 'Yes.' });
  });

  // proves service-2.18-15
  it('is asked about its task where a stream of it breaks off', async () => {
    const server = await startRemoteServer(sendJson({}), (response, call) => {
      const task = (state: string, text: string): object => ({
        ...{ id: 't', contextId: 'c', status: { state } },
        artifacts: [{ artifactId: 'a', parts: [{ text }] }],
      });
      if (call.method === 'GetTask') {
        return sendJson(rpcResult(call, task('TASK_STATE_COMPLETED', 'There are 12.')))(response, call);
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const begun = rpcResult(call, { task: task('TASK_STATE_WORKING', 'There are') });
      response.write(`data: ${JSON.stringify(begun)}\n\n`, () => response.destroy());
    });
    server.card = sendJson(cardJson(`${server.url}/rpc`, { streaming: true }));
    const reply = await openAgent(server.url).ask('Hello');
    expect(reply).toMatchObject({ text: 'There are 12.', pieces: ['There are', ' 12.'], asksBack: false });
    expect(server.methods()).toEqual(['card', 'SendStreamingMessage', 'GetTask']);
  });

  it('is found when it comes later than this server', async () => {
    const server = await startRemoteAgent({ work: ({ message }) => message('Yes.') });
    const { card } = server;
    server.card = (response) => void response.writeHead(502).end();
    const { ask, agent } = openAgent(server.url);
    agent.open();
    await vi.waitFor(() => expect(agent.status).toBe('failed'));
    await expect(ask('Hello')).rejects.toThrow('is paused');
    server.card = card;
    await vi.waitFor(() => expect(agent.status).toBe('connected'));
    await expect(ask('Hello')).resolves.toMatchObject({ text: 'Yes.' });
  });
});
