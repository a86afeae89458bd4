import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type CallbackAnswer,
  callbackSecret,
  type CallbackReceiver,
  expectedSignature,
  hangUp,
  json,
  silent,
  startCallback,
} from '../support/callback-receiver.ts';
import { calling, type ModelScript, saying } from '../support/scripted-model.ts';
import { type ScriptedServer, scriptedServer } from '../support/scripted-server.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';
import { openSse, type SseConversation, type SseFrame } from '../support/sse-client.ts';

/** When these tests began, in epoch milliseconds. */
const begunAt = Date.now();

const parameters = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };
const getOrder = { name: 'get_order', description: 'Looks up an order.', parameters, readOnly: true };
const cancelOrder = { name: 'cancel_order', title: 'Cancel', description: 'Cancels an order.', parameters };
const page = { name: 'order', title: 'Order', url: '/orders/{id}', description: 'One order.' };
const manifest = { version: 1, actions: [getOrder, cancelOrder], pages: [page] };
const lookUp: ModelScript = calling({ name: 'get_order', arguments: { id: 7 } });
const cancel: ModelScript = calling({ name: 'cancel_order', arguments: { id: 7 } });

interface Started extends ScriptedServer {
  readonly receiver: CallbackReceiver;
  readonly chat: (headers?: Readonly<Record<string, string>>) => Promise<SseConversation>;
  /** The result that the model got for its call. */
  readonly told: () => string;
  readonly readiness: () => Promise<{ readonly status: number; readonly body: string }>;
}

async function start(options: {
  readonly scripts?: readonly ModelScript[];
  readonly offers?: object | CallbackAnswer;
  readonly callback?: object;
  readonly plugin?: string;
  readonly settings?: object;
}): Promise<Started> {
  const receiver = await startCallback(options.offers ?? manifest);
  const callback = { name: 'erp', url: receiver.url, secret: callbackSecret, ...options.callback };
  const { plugin, settings } = options;
  const server = await scriptedServer({
    scripts: options.scripts ?? [],
    callbacks: [callback],
    ...(plugin === undefined ? {} : { plugin }),
    ...(settings === undefined ? {} : { settings }),
  });
  return {
    ...server,
    receiver,
    chat: (headers = {}) => openSse(`${server.url}/helper/chat`, { body: { message: 'go' }, headers }),
    told: () => JSON.stringify(server.model.requests.at(-1)?.body['messages']),
    readiness: async () => {
      const response = await fetch(`${server.url}/readyz`);
      return { status: response.status, body: await response.text() };
    },
  };
}

async function sendApproval(url: string, asked: SseFrame): Promise<void> {
  await fetch(`${url}/helper/approve`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ actionId: asked.data?.['actionId'], approved: true }),
  });
}

/** Approves the question of the turn, and waits for the turn's end. */
async function approve(url: string, chat: SseConversation): Promise<void> {
  await sendApproval(url, await chat.next('confirmation'));
  await chat.next('end');
}

/** The tool names that the model is given. */
async function offered({ chat, model }: Started): Promise<readonly string[]> {
  await (await chat()).next('end');
  const tools = (model.requests.at(-1)?.body['tools'] ?? []) as { function: { name: string } }[]; // as we declare them
  return tools.map((tool) => tool.function.name);
}

describe('an action of a callback (contract/plugins.md#callbacks)', () => {
  // proves extending-2-08
  it('is one signed request with everything about its call, and the model reads the result', async () => {
    const { receiver, chat, told } = await start({ scripts: [lookUp, saying('Fine.')] });
    receiver.answer = json({ result: { id: 7, status: 'open' } });
    await (await chat()).next('end');
    const [first, call] = receiver.calls;
    if (first === undefined || call === undefined) throw new Error('two requests were expected');
    expect(receiver.calls).toHaveLength(2);
    for (const request of [first, call]) {
      expect(request.headers['webhook-signature']).toBe(expectedSignature(request));
      expect(Number(request.headers['webhook-timestamp'])).toBeGreaterThanOrEqual(Math.floor(begunAt / 1000));
      expect(Number(request.headers['webhook-timestamp'])).toBeLessThanOrEqual(Date.now() / 1000);
      expect(request.headers['traceparent']).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
      expect(request.headers['authorization']).toBeUndefined();
    }
    expect(first.method).toBe('GET');
    expect(call.body).toEqual({
      type: 'action',
      id: call.headers['webhook-id'],
      action: 'get_order',
      arguments: { id: 7 },
      user: { id: '', name: '', roles: [], claims: {}, isAuthenticated: false },
      conversationId: expect.any(String) as string,
      turnId: expect.any(String) as string,
      channel: 'sse',
    });
    expect(told()).toContain('[succeeded] {\\"id\\":7,\\"status\\":\\"open\\"}');
  });

  // proves wire-1-71
  it('goes on in the trace that the caller began, and not in one that is not well-formed (contract/addresses.md#requests)', async () => {
    const { receiver, chat } = await start({ scripts: [lookUp, saying('Fine.'), lookUp, saying('Fine.')] });
    receiver.answer = json({ result: 1 });
    const trace = '0af7651916cd43dd8448eb211c80319c';
    await (await chat({ traceparent: `00-${trace}-b7ad6b7169203331-00` })).next('end');
    await (await chat({ traceparent: `00-${'0'.repeat(32)}-b7ad6b7169203331-00` })).next('end');
    const [inside, outside] = receiver.calls.slice(1).map(({ headers }) => headers['traceparent']);
    expect(inside).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-00$`));
    expect(inside).not.toContain('b7ad6b7169203331');
    expect(outside).toMatch(/^00-[0-9a-f]*[1-9a-f][0-9a-f]*-[0-9a-f]{16}-01$/);
  });

  it('asks the user first when it declares nothing, and runs once', async () => {
    const { url, receiver, chat } = await start({ scripts: [cancel, saying('Done.')] });
    const conversation = await chat();
    const asked = await conversation.next('confirmation');
    expect(asked.data).toMatchObject({ action: 'cancel_order', title: 'Cancel', reason: 'write' });
    expect(receiver.posts()).toEqual([]);
    await sendApproval(url, asked);
    await conversation.next('end');
    expect(receiver.posts().map(({ body }) => body['action'])).toEqual(['cancel_order']);
  });

  it('shows a card and sends the user to a page of the callback', async () => {
    const { receiver, chat } = await start({ scripts: [lookUp, saying('Here.')] });
    const card = { type: 'AdaptiveCard', version: '1.5', body: [{ type: 'TextBlock', text: 'Order 7' }] };
    receiver.answer = json({ result: 7, card, navigate: { page: 'order', params: { id: 7, tab: 'lines' } } });
    const conversation = await chat();
    expect((await conversation.next('card')).data).toMatchObject({ card: { body: [{ text: 'Order 7' }] } });
    expect((await conversation.next('navigation')).data).toMatchObject({ page: 'order', url: '/orders/7?tab=lines' });
    await conversation.next('end');
  });

  it('goes through the hook toolResult of its manifest before the model reads it', async () => {
    const { receiver, chat, told } = await start({
      scripts: [lookUp, saying('Fine.')],
      offers: { ...manifest, hooks: ['toolResult'] },
    });
    receiver.answer = (response, call) => {
      const { type, tool, result } = call.body;
      json({ result: type === 'action' ? { email: 'ann@example.com' } : { tool, was: result, email: '***' } })(
        response,
        call,
      );
    };
    await (await chat()).next('end');
    const [action, hook] = receiver.posts();
    expect(hook?.body).toEqual({ type: 'toolResult', tool: 'get_order', result: { email: 'ann@example.com' } });
    expect(hook?.headers['webhook-id']).not.toBe(action?.headers['webhook-id']);
    expect(told()).toContain('\\"email\\":\\"***\\"');
  });

  it('is withheld when the hook does not answer (contract/errors.md#faults-of-actions)', async () => {
    const { receiver, chat, told } = await start({
      scripts: [lookUp, saying('Fine.')],
      offers: { ...manifest, hooks: ['toolResult'] },
    });
    receiver.answer = (response, call) => {
      if (call.body['type'] === 'action') json({ result: 'ann@example.com' })(response, call);
      else response.writeHead(500).end();
    };
    await (await chat()).next('end');
    expect(told()).toContain('withheld');
    expect(told()).not.toContain('ann@');
  });
});

describe('a callback in trouble (contract/plugins.md#callbacks)', () => {
  async function failure(
    answer: CallbackAnswer,
    offers: object = manifest,
  ): Promise<{ message: unknown; code: unknown; told: string }> {
    const { receiver, chat, told } = await start({ scripts: [lookUp, saying('Sorry.')], offers });
    receiver.answer = answer;
    const conversation = await chat();
    const { data } = await conversation.next('failure');
    expect((await conversation.next('end')).data).toMatchObject({ status: 'completed' });
    return { message: data?.['message'], code: data?.['code'], told: told() };
  }

  it('says no in its own words', async () => {
    const outcome = await failure(json({ error: { message: 'There is no order 7.' } }));
    expect(outcome).toMatchObject({ code: 'action_failed', message: 'There is no order 7.' });
  });

  // proves extending-2-09
  it('answers another status: the user reads the status and never the body', async () => {
    const { message, code, told } = await failure(json({ stack: 'secret-detail' }, 500));
    expect([code, message]).toEqual(['action_failed', 'erp answered with status 500']);
    expect(told).not.toContain('secret-detail');
  });

  // proves extending-2-10
  it('redirects: nobody follows', async () => {
    let visited = false;
    const elsewhere = createServer((_request, response) => {
      visited = true;
      response.end('{"result":1}');
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void elsewhere.close());
    await new Promise((resolve) => elsewhere.once('listening', resolve));
    const address = elsewhere.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const outcome = await failure(json({}, 302, { location: `http://127.0.0.1:${String(port)}/` }));
    expect(outcome.message).toBe('erp answered with status 302');
    expect(visited).toBe(false);
  });

  // proves extending-2-10
  it('answers more than 1 MiB', async () => {
    const { message } = await failure(json({ result: 'x'.repeat(1024 * 1024) }));
    expect(message).toBe('the answer is larger than 1 MiB');
  });

  it('answers JSON that is wrong', async () => {
    const { message } = await failure(json({ reslt: 1 }));
    expect(message).toContain('result is required');
  });

  it('is too slow: the call is given up after timeoutSeconds', async () => {
    const { told, code } = await failure(silent, { version: 1, actions: [{ ...getOrder, timeoutSeconds: 0.05 }] });
    expect(code).toBe('action_failed');
    expect(told).toContain('did not answer in time');
  });

  it('does not accept our signature: that is an exception of the tool like any other', async () => {
    const { message } = await failure((response, call) => {
      const isOurs = call.headers['webhook-signature'] === expectedSignature(call, `whsec_${'A'.repeat(32)}`);
      response.writeHead(isOurs ? 200 : 401).end('{"result":1}');
    });
    expect(message).toBe('erp answered with status 401');
  });

  // proves wire-10-13
  it('is away: user and model are told that the system is unavailable (contract/plugins.md#callbacks)', async () => {
    const { code, message, told } = await failure(hangUp);
    expect(code).toBe('action_unavailable');
    expect(message).toContain('cannot be reached right now');
    expect(told).toContain('The system behind this action cannot be reached');
  });

  it('is paused after five failures: nothing is sent, and /readyz says degraded (contract/plugins.md#callbacks)', async () => {
    const five = Array.from({ length: 5 }, (_, id) => ({ name: 'get_order', arguments: { id } }));
    const { receiver, chat, readiness } = await start({
      scripts: [calling(...five), saying('Sorry.'), lookUp, saying('Sorry again.')],
    });
    receiver.answer = json({}, 500);
    await (await chat()).next('end');
    expect(receiver.posts()).toHaveLength(5);
    const state = await readiness();
    expect(state.status).toBe(200);
    expect(state.body).toContain('{"name":"callback:erp","state":"degraded"}');
    const { data } = await (await chat()).next('failure');
    expect(data?.['code']).toBe('action_unavailable');
    expect(receiver.posts()).toHaveLength(5);
  });

  it('goes silent during a write: nobody claims that it failed or that it worked (contract/confirmations.md#the-journal)', async () => {
    const { url, receiver, chat, told } = await start({ scripts: [cancel, saying('Sorry.')] });
    receiver.answer = hangUp;
    await approve(url, await chat());
    expect(receiver.posts()).toHaveLength(1);
    expect(told()).toContain('[unknown]');
  });

  it('is reworded by onException like a plugin (contract/errors.md#faults-of-actions)', async () => {
    const { receiver, chat } = await start({
      scripts: [lookUp, saying('Sorry.')],
      settings: { onException: [{ tool: 'get_*', error: 'status 5', message: 'The shop has a problem.' }] },
    });
    receiver.answer = json({}, 500);
    const { data } = await (await chat()).next('failure');
    expect(data?.['message']).toBe('The shop has a problem.');
  });

  it('is counted, and never with a secret (contract/operations.md#probes)', async () => {
    const { url, receiver, chat } = await start({ scripts: [lookUp, saying('Sorry.')] });
    receiver.answer = json({}, 500);
    await (await chat()).next('end');
    const text = await (await fetch(`${url}/metrics`)).text();
    expect(text).toContain('helperagent_callback_calls_total{callback="erp",type="manifest",outcome="answered"} 1');
    expect(text).toContain('helperagent_callback_calls_total{callback="erp",type="action",outcome="failed"} 1');
    expect(text).not.toContain(callbackSecret);
  });
});

describe('the manifest of a callback (contract/plugins.md#callbacks)', () => {
  const refresh = { refresh: '20ms' };

  // proves extending-2-02, wire-10-14
  it('is fetched until the first success, and /readyz is 503 meanwhile', async () => {
    const started = await start({ offers: hangUp, callback: refresh });
    expect(await started.readiness()).toMatchObject({ status: 503 });
    expect((await started.readiness()).body).toContain('{"name":"callback:erp","state":"failed"}');
    expect(await offered(started)).toEqual([]);
    started.receiver.manifest = manifest;
    await expect.poll(async () => (await started.readiness()).status).toBe(200);
    expect(await offered(started)).toEqual(['get_order', 'cancel_order', 'navigate_to_page']);
  });

  // proves extending-2-07
  it('is asked for with its ETag, and taken over when it changes', async () => {
    let current: { readonly actions: readonly object[] } = { ...manifest, actions: [getOrder] };
    const started = await start({
      callback: refresh,
      offers: (response, call) => {
        const etag = `"${String(current.actions.length)}"`;
        if (call.headers['if-none-match'] === etag) response.writeHead(304).end();
        else json(current, 200, { etag })(response, call);
      },
    });
    const { receiver } = started;
    await receiver.nextManifest();
    expect(receiver.calls.at(-1)?.headers['if-none-match']).toBe('"1"');
    current = { ...manifest, actions: [getOrder, cancelOrder] };
    await expect.poll(() => offered(started)).toEqual(['get_order', 'cancel_order', 'navigate_to_page']);
  });

  it.each<[string, object | CallbackAnswer]>([
    // proves extending-2-07
    ['is not valid any more', { version: 1, actions: [{ name: 'Broken' }] }],
    // proves extending-2-07
    ['cannot be fetched any more', hangUp],
    ['is gone', json({}, 404)],
  ])('is kept as it was when it %s', async (_title, offers) => {
    const started = await start({ callback: refresh });
    started.receiver.manifest = offers;
    await started.receiver.nextManifest();
    await started.receiver.nextManifest();
    expect(await offered(started)).toEqual(['get_order', 'cancel_order', 'navigate_to_page']);
    expect(await started.readiness()).toMatchObject({ status: 200 });
  });

  it('changes nothing for a turn that runs: it keeps the tools it began with', async () => {
    const held = Promise.withResolvers<undefined>();
    const started = await start({
      callback: refresh,
      scripts: [
        async (exchange) => {
          await held.promise;
          await lookUp(exchange);
        },
        saying('Fine.'),
      ],
    });
    const conversation = await started.chat();
    await started.model.request(0);
    started.receiver.manifest = { version: 1 };
    await started.receiver.nextManifest();
    await started.receiver.nextManifest();
    held.resolve(undefined);
    await conversation.next('end');
    expect(started.receiver.posts().map(({ body }) => body['action'])).toEqual(['get_order']);
    expect(await offered(started)).toEqual([]);
  });

  const plugin = `export default { name: 'own', actions: [{ name: 'get_order', description: 'x',
    parameters: { type: 'object', additionalProperties: true }, readOnly: true, execute: () => 'mine' }] }`;

  it('stops startup when it claims a name that is taken, and both places are named', async () => {
    await expect(start({ plugin })).rejects.toThrow(
      /actions\.callbacks\[0\]: the tool name "get_order" is used twice: by plugin "own" \(.*\) and by callback "erp"/,
    );
  });

  it('loses a name that it claims later, and keeps the others', async () => {
    const started = await start({ plugin, callback: refresh, offers: { version: 1, actions: [] } });
    expect(await offered(started)).toEqual(['get_order']);
    started.receiver.manifest = manifest;
    await expect.poll(() => offered(started)).toEqual(['get_order', 'cancel_order', 'navigate_to_page']);
    started.model.script(lookUp, saying('Fine.'));
    await (await started.chat()).next('end');
    expect(started.told()).toContain('mine');
    expect(started.receiver.posts()).toEqual([]);
  });

  it('is listed by helper check with the policy of each action, or as missing (contract/configuration.md#commands)', async () => {
    const { server } = await start({});
    expect(server.report.actions).toMatchObject([
      { name: 'get_order', source: 'action', readOnly: true, asks: false },
      { name: 'cancel_order', source: 'action', readOnly: false, asks: true, reason: 'write' },
      { name: 'navigate_to_page' },
    ]);
    const { server: without } = await start({ offers: json({}, 500) });
    expect(without.report.warnings.map(({ code }) => code)).toContain('HLP1101');
  });
});

describe('forwardAuthorization (contract/plugins.md#callbacks)', () => {
  it.each([
    [true, 'sends the token the user presented to this callback'],
    [false, 'left out sends none'],
  ])('%s: %s', async (forwardAuthorization) => {
    const started = await start({
      scripts: [lookUp, saying('Done.')],
      callback: { forwardAuthorization },
      settings: { auth: { jwt: { secret: tokenSecret } } },
    });
    const authorization = `Bearer ${await makeToken({ sub: 'ann' })}`;
    const chat = await started.chat({ authorization });
    await chat.next('end');
    const call = started.receiver.calls.find(({ method }) => method === 'POST');
    expect(call?.headers['authorization']).toBe(forwardAuthorization ? authorization : undefined);
  });
});
