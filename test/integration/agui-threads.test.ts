import { describe, expect, it, vi } from 'vitest';
import { AgUiAgent, eventsIn, eventsOf, posting, type Ran, textIn } from '../support/agui-agent.ts';
import { calling, chunk, ending, type ModelScript, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { openSse } from '../support/sse-client.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const plugin = `
export const paid = (globalThis.agUiPaid ??= []);
export default {
  name: 'bank',
  hooks: { inputGuardrail: (text) => !text.includes('bomb') },
  actions: [
    { name: 'pay', title: 'Pay an amount', description: 'Pays an amount.',
      parameters: { type: 'object', properties: { amount: { type: 'integer' } }, required: ['amount'] },
      execute: ({ amount }) => { paid.push(amount); return { amount }; } },
  ],
};`;

/** What was paid in this process. The plugin is loaded into it. */
const paid = ((globalThis as { agUiPaid?: unknown[] }).agUiPaid ??= []);

const payOne = { name: 'pay', arguments: { amount: 1 } };

const readTheme = {
  name: 'readTheme',
  description: 'Reads the colours of the page.',
  parameters: { type: 'object', properties: {} },
  metadata: { readOnly: true },
};

async function bank(scripts: readonly ModelScript[], settings: object = {}) {
  paid.length = 0;
  const { url, model } = await scriptedServer({
    scripts,
    plugin,
    settings: { auth: { jwt: { secret: tokenSecret } }, endpoints: { agui: { enabled: true } }, ...settings },
  });
  const token = await makeToken({ sub: 'ann' });
  const authorization = `Bearer ${token}`;
  const client = (): AgUiAgent => new AgUiAgent(url, { token, threadId: 't' });
  const post = (body: object): Promise<Response> =>
    posting(url, { threadId: 't', runId: 'r', protocolVersion: '1.0', messages: [], ...body }, { authorization });
  return { url, model, authorization, client, post };
}

const onlyId = ({ interrupts }: Ran): string => interrupts[0]?.id ?? '';

/** Reads a stream until it has this. Returns how to read the rest, and what was read so far. */
async function readUntil(
  { body }: Response,
  piece: string,
): Promise<(() => Promise<string>) & { readonly soFar: string }> {
  const pieces = (body ?? new ReadableStream<Uint8Array>()).pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const more = async (): Promise<boolean> => {
    const { done, value = '' } = await pieces.read();
    text += value;
    return !done;
  };
  while (!text.includes(piece)) if (!(await more())) throw new Error(`not in: ${text}`);
  const rest = async (): Promise<string> => {
    while (await more());
    return text;
  };
  return Object.assign(rest, { soFar: text });
}

describe('a run that another one takes over (contract/ag-ui.md#events)', () => {
  it('ends its text, and the other one begins a text of its own', async () => {
    const half = Promise.withResolvers<undefined>();
    const halting: ModelScript = async (exchange) => {
      await exchange.send(chunk({ content: 'One ' }));
      await half.promise;
      await exchange.send(`${chunk({ content: 'two.' })}${ending()}`);
      exchange.end();
    };
    const { client, post } = await bank([calling(payOne), halting]);
    const [agent, other] = [client(), client()];
    const interruptId = onlyId(await agent.ask('Pay 1'));
    const approval = [{ interruptId, status: 'resolved', payload: { approved: true } }];
    const first = await readUntil(await post({ resume: approval }), 'One ');
    const second = other.read({ resume: [{ interruptId, status: 'cancelled' }] });
    const taken = eventsIn(await first());
    half.resolve(undefined);
    expect(taken.map(({ type }) => type).slice(-2)).toEqual(['TEXT_MESSAGE_END', 'RUN_ERROR']);
    const ran = await second;
    expect(ran.error).toBeUndefined();
    expect(ran.text).toBe('two.');
  });
});

describe('a run whose turn is read over another channel (contract/ag-ui.md#events)', () => {
  // proves wire-6-70
  it('is told that another reader has taken it over, and not that it was interrupted', async () => {
    const rest = Promise.withResolvers<undefined>();
    const halting: ModelScript = async (exchange) => {
      await exchange.send(chunk({ content: 'One ' }));
      await rest.promise;
      await exchange.send(`${chunk({ content: 'two.' })}${ending()}`);
      exchange.end();
    };
    const { url, post, authorization } = await bank([halting]);
    const response = await post({ messages: [{ id: 'm', role: 'user', content: 'Hi' }] });
    const read = await readUntil(response, 'One ');
    const turnId = /"turnId":"([^"]+)"/.exec(read.soFar)?.[1] ?? '';
    const headers = { authorization, 'last-event-id': `${turnId}:0` };
    const other = await openSse(`${url}/helper/chat`, { headers });
    await other.next('text');
    expect(eventsIn(await read()).at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'turn_in_progress' });
    rest.resolve(undefined);
    await other.closed;
    expect(other.frames.at(-1)?.data).toMatchObject({ status: 'completed', text: 'One two.' });
  });
});

describe('the result of a tool of the client (contract/ag-ui.md#tools-of-the-client)', () => {
  it('counts beside the answer to a question of the same round', async () => {
    const { client, model } = await bank([
      calling({ name: 'page_read_theme', arguments: {} }, payOne),
      saying('Done.'),
    ]);
    const agent = client();
    const asked = await agent.ask('Pay, and which theme?', { tools: [readTheme] });
    const call = asked.events.find(({ toolCallName }) => toolCallName === 'readTheme');
    agent.addMessage({ id: 'result', role: 'tool', toolCallId: String(call?.['toolCallId']), content: 'dark' });
    const ran = await agent.answer({ approved: true }, { tools: [readTheme] });
    expect(ran.outcome).toEqual({ type: 'success' });
    expect(ran.text).toBe('Done.');
    expect(JSON.stringify(model.requests[1]?.body)).toContain('dark');
    expect(paid).toEqual([1]);
  });
});

describe('a question that is over (contract/ag-ui.md#confirmations)', () => {
  it('is no restart to a client that leaves it, also after another run', async () => {
    const { client, post } = await bank([calling(payOne), saying('Paid.'), saying('Hello.')]);
    const agent = client();
    const interruptId = onlyId(await agent.ask('Pay 1'));
    await agent.answer({ approved: true });
    await agent.ask('Hello');
    const events = await eventsOf(await post({ resume: [{ interruptId, status: 'cancelled' }] }));
    expect(events.at(-1)).toMatchObject({
      ...{ type: 'RUN_FINISHED', outcome: { type: 'success' } },
      result: { receipts: [{ action: 'pay', status: 'succeeded' }] },
    });
  });

  it('takes whatever a client sends beside `cancelled`', async () => {
    const { client, post } = await bank([calling(payOne), saying('Then not.')]);
    const interruptId = onlyId(await client().ask('Pay 1'));
    const response = await post({ resume: [{ interruptId, status: 'cancelled', payload: null }] });
    expect(response.status).toBe(200);
    expect(textIn(await eventsOf(response))).toBe('Then not.');
  });
});

describe('a client that has lost what it was asked (contract/ag-ui.md#threads)', () => {
  // proves wire-6-69
  it('goes on in its thread with another message, and nothing is done', async () => {
    const { client, url, authorization } = await bank([calling(payOne), saying('Hello.')], {
      confirmationTimeout: '0s',
    });
    const actionId = onlyId(await client().ask('Pay 1'));
    const ran = await client().ask('Hello?');
    expect(ran.error).toBeUndefined();
    expect(ran.text).toBe('Hello.');
    const state = await fetch(`${url}/helper/approve?actionId=${actionId}`, { headers: { authorization } });
    expect(await state.json()).toMatchObject({ outcome: 'cancelled' });
    expect(paid).toEqual([]);
  });
});

describe('a client that writes null for what it leaves out (contract/ag-ui.md)', () => {
  // proves wire-6-62
  it('is understood', async () => {
    const { post } = await bank([saying('Hello.')]);
    const [message, nothing] = [{ role: 'user', content: [{ type: 'text', text: 'Hi', source: null }] }, null];
    const response = await post({
      ...{ parentRunId: nothing, protocolVersion: nothing, state: nothing, forwardedProps: nothing, resume: nothing },
      messages: [
        { id: 'a', role: 'assistant', content: nothing, toolCalls: nothing, name: nothing },
        { id: nothing, name: nothing, toolCallId: nothing, error: nothing, ...message },
      ],
      tools: [{ ...readTheme, description: nothing, metadata: nothing }],
      context: nothing,
    });
    expect(response.status).toBe(200);
    expect(textIn(await eventsOf(response))).toBe('Hello.');
  });

  // proves wire-6-62
  it('gets 400 all the same where something is missing', async () => {
    const { post } = await bank([]);
    for (const body of [{ messages: null }, { messages: [null] }, { threadId: null }, { resume: [null] }])
      expect((await post(body)).status).toBe(400);
  });
});

describe('a message beside answers (contract/ag-ui.md#confirmations)', () => {
  // proves configuration-6-96
  it('is left out, and the run says so', async () => {
    const { client, post } = await bank([calling(payOne), saying('Paid.')]);
    const interruptId = onlyId(await client().ask('Pay 1'));
    const messages = [{ id: 'new', role: 'user', content: 'And pay 2' }];
    const resume = [{ interruptId, status: 'resolved', payload: { approved: true } }];
    const events = await eventsOf(await post({ messages, resume }));
    expect(events.find(({ name }) => name === 'LeftOut')).toMatchObject({
      value: [{ reason: 'A message beside answers is not read. Send it when this run has ended.' }],
    });
    expect(textIn(events)).toBe('Paid.');
  });
});

describe('a question of another channel (contract/ag-ui.md#confirmations)', () => {
  // proves wire-6-85
  it('is answered for its user, and the turn stays with its reader', async () => {
    const { url, post, authorization } = await bank([calling(payOne), saying('Paid.')]);
    const stream = await openSse(`${url}/helper/chat`, { body: { message: 'Pay 1' }, headers: { authorization } });
    const { data } = await stream.next('confirmation');
    const resume = [{ interruptId: data?.['actionId'], status: 'resolved', payload: { approved: true } }];
    const events = await eventsOf(await post({ resume }));
    expect(events.map(({ type }) => type)).toEqual(['RUN_STARTED', 'RUN_FINISHED']);
    await stream.closed;
    expect(stream.frames.at(-1)?.data).toMatchObject({ status: 'completed', text: 'Paid.' });
    expect(paid).toEqual([1]);
  });
});

describe('a turn that no run reads (contract/ag-ui.md#runs)', () => {
  it('comes to its end, however long its reply is', async () => {
    const pieces = 1_500;
    const long: ModelScript = async (exchange) => {
      for (let index = 0; index < pieces; index += 1) {
        await exchange.send(chunk({ content: `${String(index)} ` }));
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      await exchange.send(ending());
      exchange.end();
    };
    const { client, url, authorization } = await bank([calling(payOne), long]);
    const agent = client();
    const actionId = onlyId(await agent.ask('Pay 1'));
    const approved = await fetch(`${url}/helper/approve`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ actionId, approved: true }),
    });
    expect(approved.status).toBe(200);
    await vi.waitFor(
      async () => {
        const metrics = await (await fetch(`${url}/metrics`)).text();
        expect(metrics).toContain('helperagent_running_turns{channel="agui"} 0');
      },
      { interval: 100 },
    );
    const ran = await agent.answer('cancelled');
    expect(ran.error).toBeUndefined();
    expect(ran.text).toMatch(new RegExp(`^0 1 2 .* ${String(pieces - 1)} $`, 'u'));
  });
});
