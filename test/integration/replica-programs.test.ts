import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { askedText } from '../../src/core/direct/asked-call.ts';
import { json } from '../support/callback-receiver.ts';
import {
  confirmingClient,
  type ConfirmingClient,
  linkIn,
  PageOfQuestion,
  sessionCookie,
  tokensOf,
} from '../support/mcp/confirming-server.ts';
import { type OrderReplicas, startOrderReplicas } from '../support/replicas/order-replicas.ts';
import { hasReplicas, servicesOfFile } from '../support/replicas/replica-processes.ts';
import { calling, chunk, ending, type ModelScript, saying } from '../support/scripted-model.ts';
import { tokenSecret } from '../support/tokens.ts';

const services = servicesOfFile();
const ends: (() => void | Promise<void>)[] = [];
let world: OrderReplicas;
let ann: Awaited<ReturnType<typeof tokensOf>>;

/** Two replicas with a scripted model, and an action that asks, for programs whose users answer on a page. */
async function started(): Promise<OrderReplicas> {
  const atEnd = (end: () => void | Promise<void>): void => void ends.push(end);
  const replicas = await startOrderReplicas(2, await services(), {
    action: { title: 'Cancel order', parameters: { type: 'object', properties: { id: { type: 'integer' } } } },
    yaml: `auth: { jwt: { secret: '${tokenSecret}', cookie: ${sessionCookie} } }
mcpServerEnabled: true
mcpCallerPrincipal: fromToken
a2aServerEnabled: true
endpoints: { mcp: { confirmations: page }, a2a: { confirmations: page } }
`,
    atEnd,
    isPublic: true,
  });
  replicas.orders.answer = json({ result: { cancelled: true } });
  return replicas;
}

beforeAll(async () => {
  if (!hasReplicas) return;
  [world, ann] = await Promise.all([started(), tokensOf('ann')]);
});

afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

/** A program of a user, at one replica. */
async function program(index: number, { token = ann.program } = {}): Promise<ConfirmingClient['client']> {
  return (await confirmingClient(`${world.at(index).url}/mcp`, { token })).client;
}

/** A browser whose user tries again while another replica takes too long to answer, as one on a busy machine does. */
class PatientPage extends PageOfQuestion {
  override async open(): Promise<Response> {
    const response = await super.open();
    return response.status === 503 ? this.open() : response;
  }

  override async send(form: URLSearchParams): Promise<Response> {
    const response = await super.send(form);
    return response.status === 503 ? this.send(form) : response;
  }
}

/** The page of a question at one replica, in the browser of a user. */
function page(index: number, link: string, { token = ann.browser, isPatient = true } = {}): PageOfQuestion {
  return new (isPatient ? PatientPage : PageOfQuestion)(world.at(index).url, link, { token });
}

/** What a page says. */
async function wordsOf(shown: Response): Promise<string> {
  return (await shown.text()).replace(/^.*<main>/su, '');
}

const cancelOrder = (id: number) => ({ name: 'cancel_order', arguments: { id } });
const done = { structuredContent: { cancelled: true } };

/** A call of the newest revision that names a question, as its client sends it. */
async function callNaming(index: number, id: number, { link = '', token = ann.program }): Promise<unknown> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } },
  };
  const response = await fetch(`${world.at(index).url}/mcp`, {
    method: 'POST',
    headers: {
      ...{ accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
      ...{ authorization: `Bearer ${token}`, 'mcp-protocol-version': '2026-07-28' },
      ...{ 'mcp-method': 'tools/call', 'mcp-name': 'cancel_order' },
    },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { ...cancelOrder(id), requestState: link.slice(link.lastIndexOf('/') + 1), _meta: meta },
    }),
  });
  return response.json();
}

describe.skipIf(!hasReplicas)('a question of a program (contract/replicas.md#programs)', () => {
  // proves wire-10-90
  it('is opened and answered on any replica, by its user alone, and its action runs once', async () => {
    const [here, there] = await Promise.all([program(0), program(1)]);
    const before = world.orders.posts().length;
    const link = linkIn(await here.callTool(cancelOrder(1)));
    const shown = await page(1, link).text();
    expect(shown).toContain('Cancel order');
    const proof = /name="proof" value="([^"]+)"/.exec(shown)?.[1] ?? '';
    const bob = await tokensOf('bob');
    const refused = await Promise.all([bob.browser, ann.program].map((token) => page(1, link, { token }).open()));
    expect(refused.map(({ status }) => status)).toEqual([403, 403]);
    expect((await fetch(`${world.at(1).url}/helper/confirm/${link.slice(link.lastIndexOf('/') + 1)}`)).status).toBe(
      401,
    );
    const forged = await page(1, link).send(new URLSearchParams({ proof: 'made up', answer: 'approve' }));
    expect(forged.status).toBe(403);
    const approval = new URLSearchParams({ proof, answer: 'approve' });
    const answers = await Promise.all([0, 1, 1].map((index) => page(index, link).send(approval)));
    for (const answer of answers) expect(await wordsOf(answer)).toContain('The program runs it when it asks again');
    expect(world.orders.posts()).toHaveLength(before);
    const outcomes = await Promise.all([there, here].map((one) => one.callTool(cancelOrder(1))));
    expect(outcomes.filter((outcome) => linkIn(outcome) === '')).not.toHaveLength(0);
    expect(world.orders.posts()).toHaveLength(before + 1);
    for (const index of [0, 1]) expect(await page(index, link).text()).toContain('Done: Cancel order');
  });

  // proves wire-10-91
  it('is the one of all calls that come at the same time, on whatever replicas', async () => {
    const [here, there] = await Promise.all([program(0), program(1)]);
    const before = world.orders.posts().length;
    const calls = [here, there].map((one) => one.callTool(cancelOrder(2)));
    const link = linkIn(await Promise.race(calls));
    await page(1, link).answer('approve');
    await Promise.all(calls);
    // One of the calls has run the action. Where the answer came before the other call, the next one does.
    if (world.orders.posts().length === before) expect(await there.callTool(cancelOrder(2))).toMatchObject(done);
    expect(world.orders.posts()).toHaveLength(before + 1);
    // What was told may have been lost: the same call is told on every replica that the action ran.
    for (const one of [here, there]) {
      const again = await one.callTool(cancelOrder(2));
      expect(JSON.stringify(again)).toContain('was not run again');
      expect(linkIn(again)).toBe('');
    }
    expect(world.orders.posts()).toHaveLength(before + 1);
  });

  // proves wire-10-91
  it('is named on any replica, by its program alone, as often as it likes', async () => {
    const here = await program(0);
    const before = world.orders.posts().length;
    const link = linkIn(await here.callTool(cancelOrder(3)));
    const bob = await tokensOf('bob');
    const unknown = { error: { code: -32602 } };
    expect(await callNaming(1, 3, { link, token: bob.program })).toMatchObject(unknown);
    expect(await callNaming(1, 4, { link })).toMatchObject(unknown);
    const waiting = callNaming(1, 3, { link });
    await page(1, link).answer('approve');
    expect(await waiting).toMatchObject({ result: done });
    for (const index of [0, 1]) expect(await callNaming(index, 3, { link })).toMatchObject({ result: done });
    expect(world.orders.posts()).toHaveLength(before + 1);
  });
});

/** Says a part, and the rest once the test lets it. */
function inTwoParts(first: string, rest: string, gate: Promise<unknown>): ModelScript {
  return async (exchange) => {
    await exchange.send(chunk({ role: 'assistant', content: first }));
    await gate;
    if (exchange.isClosed) return;
    await exchange.send(chunk({ content: rest }));
    await exchange.send(ending());
    exchange.end();
  };
}

async function rpc(index: number, method: string, params: object, token = ann.program): Promise<Response> {
  return fetch(`${world.at(index).url}/a2a`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0', authorization: `Bearer ${token}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
}

interface SentTask {
  readonly id: string;
  readonly status: { readonly state: string };
  readonly artifacts?: readonly { readonly parts: readonly { readonly text: string }[] }[];
}

interface Answer {
  readonly result: SentTask & { readonly task: SentTask };
  readonly error?: { readonly code: number; readonly message: string };
}

async function answerOf(response: Promise<Response>): Promise<Answer> {
  return (await response).json() as Promise<Answer>; // as the protocol has it
}

const message = (text: string, more: object = {}): object => ({
  message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...more },
});

/** Begins a task that runs on. */
async function begun(index: number): Promise<SentTask> {
  const params = { ...message('Tell me.'), configuration: { returnImmediately: true } };
  return (await answerOf(rpc(index, 'SendMessage', params))).result.task;
}

/** The reply of a task so far, as one replica tells it. */
async function replyAt(index: number, id: string): Promise<string | undefined> {
  return (await answerOf(rpc(index, 'GetTask', { id }))).result.artifacts?.[0]?.parts[0]?.text;
}

describe.skipIf(!hasReplicas)('a task of another agent (contract/replicas.md#programs)', () => {
  // proves wire-10-92
  it('is read as it is and followed to its end on any replica, by its owner alone', async () => {
    const gate = Promise.withResolvers<undefined>();
    world.model.script(inTwoParts('Once', ' upon a time.', gate.promise));
    const { id } = await begun(0);
    await vi.waitFor(async () => {
      expect(await replyAt(1, id)).toBe('Once');
    });
    const bob = await tokensOf('bob');
    expect(await answerOf(rpc(1, 'GetTask', { id }, bob.program))).toMatchObject({ error: { code: -32001 } });
    const following = await rpc(1, 'SubscribeToTask', { id });
    expect(following.headers.get('content-type')).toContain('text/event-stream');
    const text = following.text();
    gate.resolve(undefined);
    expect(await text).toContain('TASK_STATE_COMPLETED');
    expect(await text).toContain(' upon a time.');
    for (const index of [0, 1]) expect(await replyAt(index, id)).toBe('Once upon a time.');
    expect(await answerOf(rpc(1, 'SubscribeToTask', { id }))).toMatchObject({
      error: { message: expect.stringContaining('is over') },
    });
  });

  // proves wire-10-92
  it('is stopped on any replica', async () => {
    world.model.script(inTwoParts('Once', ' upon', new Promise(() => undefined)));
    const { id } = await begun(0);
    await vi.waitFor(async () => {
      expect(await replyAt(0, id)).toBe('Once');
    });
    const { result } = await answerOf(rpc(1, 'CancelTask', { id }));
    expect(result.status.state).toBe('TASK_STATE_CANCELED');
  });

  // proves wire-10-90, wire-10-92
  it('takes a message on any replica, and goes on with an answer that its user gives on any', async () => {
    world.model.script(calling({ name: 'cancel_order', arguments: { id: 5 } }), saying('Cancelled.'));
    const before = world.orders.posts().length;
    const { task } = (await answerOf(rpc(0, 'SendMessage', message('Cancel order 5')))).result;
    expect(task.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const link = linkIn(task);
    const goingOn = answerOf(rpc(1, 'SendMessage', message('Told the user.', { taskId: task.id })));
    expect(await page(1, link).text()).toContain('Cancel order');
    await page(1, link).answer('approve');
    const after = (await goingOn).result.task;
    expect([after.status.state, after.artifacts?.[0]?.parts[0]?.text]).toEqual(['TASK_STATE_COMPLETED', 'Cancelled.']);
    expect(world.orders.posts()).toHaveLength(before + 1);
    expect(await page(1, link).text()).not.toContain('<form');
  });
});

describe.skipIf(!hasReplicas)('what a program has with another replica (contract/replicas.md#programs)', () => {
  // proves wire-10-93
  it('is 503 cluster_unavailable while Redis is away; a task is read as it was stored, and a call that names no question asks anew', async () => {
    world.model.script(inTwoParts('Once', ' upon', new Promise(() => undefined)));
    const [here, there] = await Promise.all([program(0), program(1)]);
    const link = linkIn(await here.callTool(cancelOrder(6)));
    const { id } = await begun(0);
    const { redis } = await services();
    await redis.kill();
    try {
      expect((await page(1, link, { isPatient: false }).open()).status).toBe(503);
      expect((await rpc(1, 'CancelTask', { id })).status).toBe(503);
      expect((await answerOf(rpc(1, 'GetTask', { id }))).result.status.state).toBe('TASK_STATE_WORKING');
      expect(await callNaming(1, 6, { link })).toMatchObject({ status: 503, code: 'cluster_unavailable' });
      const anew = linkIn(await there.callTool(cancelOrder(6)));
      expect([anew === '', anew === link]).toEqual([false, false]);
      expect((await page(0, link, { isPatient: false }).open()).status).toBe(200);
    } finally {
      await redis.run();
    }
    await vi.waitFor(
      async () => {
        expect((await page(1, link, { isPatient: false }).open()).status).toBe(200);
      },
      { interval: 200 },
    );
    expect((await answerOf(rpc(1, 'CancelTask', { id }))).result.status.state).toBe('TASK_STATE_CANCELED');
  });

  // proves wire-10-94
  it('is withdrawn once that replica has died, and the program is told so', async () => {
    const link = linkIn(await (await program(0)).callTool(cancelOrder(7)));
    await world.at(0).kill('SIGKILL');
    const shown = vi.waitFor(
      async () => {
        const response = await page(1, link, { isPatient: false }).open();
        // Until another replica has ended it, nobody says that it is over.
        if (response.status === 503) throw new Error('its replica is not known to be dead yet');
        return response.text();
      },
      { interval: 500 },
    );
    const told = vi.waitFor(
      async () => {
        const answer = await callNaming(1, 7, { link });
        expect(answer).not.toMatchObject({ status: 503 });
        return answer;
      },
      { interval: 500 },
    );
    expect(await shown).toContain('withdrawn');
    expect(await told).toMatchObject({ result: { isError: true, content: [{ text: askedText.restarted }] } });
  });
});
