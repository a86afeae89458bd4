import { describe, expect, it } from 'vitest';
import { withPipeline } from '../../../../../src/adapters/models/pipeline/with-pipeline.ts';
import {
  type ChatMessage,
  type ChatModel,
  ModelError,
  type ModelRequest,
} from '../../../../../src/core/ports/chat-model.ts';
import type { HostedReply } from '../../../../../src/core/ports/hosted-tools.ts';
import type { PipelineModel, PipelineReply } from '../../../../../src/plugin-api/pipeline.ts';
import { call, fakeModel } from '../../../../support/fake-model.ts';

type Run = PipelineModel['run'];

const asked: ChatMessage = { role: 'user', text: 'Hello', origin: 'user' };
const flow = { paused: false, onResume: () => undefined };
const signal = (): AbortSignal => new AbortController().signal;

function request(more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    instructions: 'Be kind.',
    messages: [asked],
    tools: [],
    toolChoice: 'auto',
    signal: signal(),
    flow,
    tenant: 'acme',
    ...more,
  };
}

/** A layer around a model: `run` is given the model beneath. */
function layer(
  beneath: ChatModel,
  run: (model: PipelineModel) => Run,
  more: { idleMs?: number; maxReplyLength?: number; includeSensitive?: boolean } = {},
): Promise<ChatModel> {
  return withPipeline(beneath, {
    plugin: 'test',
    maxReplyLength: 1_000,
    includeSensitive: false,
    configure: (model) => ({ ...model, run: run(model) }),
    ...more,
  });
}

/** The reply of a call, and the text that its user sees. */
async function answered(model: ChatModel, given = request()) {
  const pieces: string[] = [];
  const reply = await model.run(given, { text: (piece) => pieces.push(piece) });
  return { reply, shown: String(JSON.parse(`"${pieces.join('')}"`)), pieces };
}

const own: PipelineReply = {
  text: 'Mine.',
  toolCalls: [],
  usage: { inputTokens: 0, outputTokens: 1 },
  model: 'own',
  finish: 'stop',
};

describe('a layer of a plugin around a model (contract/models.md#own-layers)', () => {
  it('that hands on what it is given changes nothing', async () => {
    const beneath = fakeModel({ pieces: ['Say "hi"', ' \u{1f600}\n'], toolCalls: [call('close_case')] });
    const { reply, shown, pieces } = await answered(
      await layer(beneath, (model) => (given, sink) => model.run(given, sink)),
    );
    expect(shown).toBe('Say "hi" \u{1f600}\n');
    expect(pieces).toHaveLength(2);
    expect(reply).toMatchObject({ text: shown, toolCalls: [{ name: 'close_case' }], finish: 'tool-calls' });
    expect(beneath.requests[0]).toMatchObject({ instructions: 'Be kind.', flow, tenant: 'acme' });
    expect(beneath.requests[0]?.messages[0]).toBe(asked);
  });

  it('that returns the model itself is none', async () => {
    const beneath = fakeModel({ text: 'Hi' });
    const options = { plugin: 'test', maxReplyLength: 1, includeSensitive: false };
    expect(await withPipeline(beneath, { ...options, configure: (model) => model })).toBe(beneath);
  });

  it.each([undefined, null, 'model', {}, { run: 5 }])('that is %j is refused', async (made) => {
    const configure = () => made as unknown as PipelineModel; // plain JavaScript may return anything
    const options = { plugin: 'test', maxReplyLength: 1, includeSensitive: false, configure };
    await expect(withPipeline(fakeModel(), options)).rejects.toThrow(/object with a function run/);
  });

  // proves service-11-20
  it('changes what the model is sent', async () => {
    const beneath = fakeModel({ text: 'Hi' });
    const tools = [{ name: 'more', description: 'More.', parameters: { type: 'object' } }];
    const model = await layer(beneath, (inner) => (given, sink) => {
      const messages = given.messages.map((message) => ({ ...message, text: message.text.toUpperCase() }));
      return inner.run({ ...given, instructions: 'Be brief.', messages, tools }, sink);
    });
    await answered(model);
    expect(beneath.requests[0]).toMatchObject({
      instructions: 'Be brief.',
      messages: [{ role: 'user', text: 'HELLO' }],
      tools,
    });
  });

  // proves service-11-21
  it('sees each piece with a sink of its own, and decides what the user sees and the history keeps', async () => {
    const beneath = fakeModel({ pieces: ['One "two"', ' three'] });
    const seen: string[] = [];
    const model = await layer(
      beneath,
      (inner) => (given, sink) =>
        inner.run(given, {
          text: (piece) => {
            seen.push(piece);
            sink.text(piece.toUpperCase());
          },
        }),
    );
    const { reply, shown } = await answered(model);
    expect(seen).toEqual(['One "two"', ' three']);
    expect(shown).toBe('ONE "TWO" THREE');
    expect(reply.text).toBe(shown);
  });

  // proves service-11-21
  it('answers by itself: its text is shown where it has written none', async () => {
    const beneath = fakeModel();
    const { reply, shown } = await answered(await layer(beneath, () => () => Promise.resolve(own)));
    expect([shown, reply.text]).toEqual(['Mine.', 'Mine.']);
    expect(beneath.requests).toEqual([]);
  });

  // proves service-11-21
  it('cannot make the history say what the user has not seen', async () => {
    const model = await layer(fakeModel(), () => (_given, sink) => {
      sink.text('Seen.');
      return Promise.resolve({ ...own, text: 'Not seen.' });
    });
    expect((await answered(model)).reply.text).toBe('Seen.');
  });

  it('keeps the mark of a provider that keeps the conversation, unless it changes the reply', async () => {
    const mark = { id: 'r1', model: 'fake-1', instructions: 'x' };
    const beneath: ChatModel = {
      ...fakeModel(),
      run: (_given, sink) => {
        sink.text('Hi');
        return Promise.resolve({ ...own, text: 'Hi', mark });
      },
    };
    const same = await layer(beneath, (inner) => (given, sink) => inner.run(given, sink));
    expect((await answered(same)).reply.mark).toEqual(mark);
    const more = await layer(beneath, (inner) => async (given, sink) => {
      const reply = await inner.run(given, sink);
      sink.text('!');
      return reply;
    });
    expect((await answered(more)).reply.mark).toBeUndefined();
  });

  it('leaves to the server what the tools of the provider do, and which calls wait for them', async () => {
    const hosted = { calls: [], citations: [{ kind: 'web', id: 'https://a.example', title: 'A' }] } as const;
    const asking = { ...call('mcp__erp__find'), hosted: { server: 'erp', tool: 'find', id: 'a1' } };
    const items = [{ type: 'mcp_approval_request' }];
    const target = { kind: 'tool', name: 'WebSearch' } as const;
    const beneath: ChatModel = {
      ...fakeModel(),
      run: (_given, sink) => {
        sink.hosted?.({ phase: 'began', id: 'w1', target });
        return Promise.resolve({ ...own, text: '', toolCalls: [asking], finish: 'tool-calls', hosted, items });
      },
    };
    const seen: unknown[] = [];
    const model = await layer(beneath, (inner) => async (given, sink) => {
      const reply = await inner.run(given, { text: (piece) => sink.text(piece) });
      seen.push(reply);
      return { ...reply, text: 'Searching.' };
    });
    const progress: unknown[] = [];
    const reply = await model.run(request(), { text: () => undefined, hosted: (one) => progress.push(one) });
    expect(reply).toMatchObject({ text: 'Searching.', toolCalls: [asking], hosted, items });
    expect(JSON.stringify(seen)).not.toContain('erp"');
    expect(progress).toEqual([{ phase: 'began', id: 'w1', target }]);
    const silent = await layer(beneath, (inner) => async (given, sink) => ({
      ...(await inner.run(given, sink)),
      toolCalls: [],
    }));
    expect(await silent.run(request(), { text: () => undefined })).not.toHaveProperty('items');
  });

  // proves service-11-29
  it.each<[string, (model: PipelineModel) => Run]>([
    [
      'puts the reply together itself',
      (inner) => async (given, sink) => {
        const { text } = await inner.run(given, { text: () => undefined });
        const second = await inner.run(given, sink);
        return { ...own, text: text + second.text };
      },
    ],
    [
      'returns the second of two replies',
      (inner) => async (given, sink) => {
        await inner.run(given, { text: () => undefined });
        return inner.run(given, sink);
      },
    ],
  ])('keeps what the tools of the provider have done where it %s', async (_what, run) => {
    const searched = (id: string): HostedReply => ({
      calls: [{ id: `ws_${id}`, target: { kind: 'tool', name: 'WebSearch' }, status: 'succeeded' }],
      citations: [
        { kind: 'web', id: `https://${id}.example`, title: id },
        { kind: 'web', id: 'https://both.example', title: 'Both' },
      ],
    });
    const beneath = fakeModel(
      { text: 'One.', more: { hosted: searched('a') } },
      { text: 'Two.', more: { hosted: searched('b') } },
    );
    const { reply } = await answered(await layer(beneath, run));
    expect(reply.hosted?.calls.map(({ id }) => id)).toEqual(['ws_a', 'ws_b']);
    expect(reply.hosted?.citations.map(({ title }) => title)).toEqual(['a', 'Both', 'b']);
  });

  it('is sent on with the approval that it waits for, where the layer keeps its call alone', async () => {
    const asking = { ...call('mcp__erp__find'), hosted: { server: 'erp', tool: 'find', id: 'a1' } };
    const items = [{ type: 'mcp_approval_request' }];
    const model = await layer(
      fakeModel({ text: 'Hi', toolCalls: [asking], more: { items } }),
      (inner) => async (given) => {
        const { toolCalls } = await inner.run(given, { text: () => undefined });
        return { ...own, toolCalls, finish: 'tool-calls' };
      },
    );
    expect((await answered(model)).reply).toMatchObject({ text: 'Mine.', toolCalls: [asking], items });
  });

  it('is the model beneath to everybody else', async () => {
    const model = await layer(fakeModel(), (inner) => (given, sink) => inner.run(given, sink));
    expect(model).toMatchObject({ model: 'fake-1', provider: 'fake', isDemo: false });
  });

  // proves service-11-20
  it.each([
    [
      'made from nothing',
      (given: object) => ({ instructions: '', messages: [], tools: [], toolChoice: 'auto', of: given }),
    ],
    ['with no list of messages', (given: object) => ({ ...given, messages: 'Hello' })],
    ['with a message without text', (given: object) => ({ ...given, messages: [{ role: 'user' }] })],
    ['with a message of nobody', (given: object) => ({ ...given, messages: [{ role: 'system', text: 'x' }] })],
    ['with a tool without a name', (given: object) => ({ ...given, tools: [{}] })],
    ['with no signal', (given: object) => ({ ...given, signal: null })],
  ])('that hands on a request %s fails the call, and the model is not asked', async (_what, changed) => {
    const beneath = fakeModel({ text: 'Hi' });
    const model = await layer(
      beneath,
      (inner) => (given, sink) => inner.run(changed(given) as unknown as typeof given, sink),
    ); // plain JavaScript may hand on anything
    await expect(answered(model)).rejects.toMatchObject({ name: 'ModelError', code: 'model_unavailable' });
    expect(beneath.requests).toEqual([]);
  });

  // proves service-11-23
  it.each([
    ['nothing', undefined],
    ['a text that is none', { ...own, text: 5 }],
    ['calls that are none', { ...own, toolCalls: [{ name: 'x' }] }],
    ['usage below zero', { ...own, usage: { inputTokens: -1, outputTokens: 0 } }],
    ['an end that is none', { ...own, finish: 'later' }],
    ['no model', { ...own, model: '' }],
  ])('that returns %s fails the call', async (_what, given) => {
    const model = await layer(fakeModel(), () => () => Promise.resolve(given as PipelineReply)); // plain JavaScript may return anything
    await expect(answered(model)).rejects.toMatchObject({ code: 'model_unavailable', transient: false });
  });

  // proves service-11-23
  it('that throws fails the call as a model does, and its words stay out of the log', async () => {
    const model = await layer(fakeModel(), () => () => Promise.reject(new RangeError('about Ann')));
    const fault = await answered(model).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(ModelError);
    expect(fault).toMatchObject({ code: 'model_unavailable' });
    expect(String(fault)).toMatch(/plugin test .*RangeError/);
    expect(JSON.stringify([String(fault), (fault as Error).cause])).not.toContain('Ann');
    const telling = await layer(fakeModel(), () => () => Promise.reject(new Error('about Ann')), {
      includeSensitive: true,
    });
    await expect(answered(telling)).rejects.toThrow(/about Ann/);
  });

  it('that throws while a piece is taken fails the call', async () => {
    const model = await layer(
      fakeModel({ text: 'Hi' }),
      (inner) => (given) =>
        inner.run(given, {
          text: () => {
            throw new Error('full');
          },
        }),
    );
    await expect(answered(model)).rejects.toMatchObject({ code: 'model_unavailable' });
  });

  // proves service-11-23
  it('lets a fault of the model beneath pass as it is, or catches it', async () => {
    const away = new ModelError('model_timeout', 'silent', { transient: true });
    const passing = await layer(fakeModel({ fails: away }), (inner) => (given, sink) => inner.run(given, sink));
    await expect(answered(passing)).rejects.toBe(away);
    const catching = await layer(
      fakeModel({ fails: away }),
      (inner) => (given, sink) =>
        inner.run(given, sink).catch((error: unknown) => ({ ...own, text: (error as { code: string }).code })), // as documented
    );
    expect((await answered(catching)).shown).toBe('model_timeout');
  });

  // proves service-11-24
  it('ends with the turn that is stopped, whatever the plugin does', async () => {
    const stop = new AbortController();
    const begun = Promise.withResolvers<undefined>();
    const model = await layer(fakeModel(), () => (_given, sink) => {
      sink.text('Half');
      begun.resolve(undefined);
      return new Promise(() => undefined);
    });
    const reply = answered(model, request({ signal: stop.signal }));
    await begun.promise;
    const reason = new Error('stopped');
    stop.abort(reason);
    await expect(reply).rejects.toBe(reason);
  });

  // proves service-11-24
  it('that does nothing for too long fails the call; while the model is asked, its own limits hold', async () => {
    const idle = await layer(fakeModel(), () => () => new Promise(() => undefined), { idleMs: 20 });
    await expect(answered(idle)).rejects.toMatchObject({ code: 'model_timeout' });
    const later = Promise.withResolvers<undefined>();
    const slow = await layer(
      fakeModel({ text: 'Hi', until: later.promise }),
      (inner) => (given, sink) => inner.run(given, sink),
      { idleMs: 20 },
    );
    const reply = answered(slow);
    setTimeout(() => {
      later.resolve(undefined);
    }, 80);
    expect((await reply).shown).toBe('Hi');
  });

  // proves service-11-24
  it('that writes without end fails the call, and is told so', async () => {
    const model = await layer(fakeModel(), () => async (_given, sink) => {
      for (let count = 0; count < 100; count += 1) {
        sink.text('x'.repeat(100));
        await Promise.resolve();
      }
      return own;
    });
    await expect(answered(model)).rejects.toThrow(/more than 1000 characters/);
  });

  // proves service-11-25
  it('shows nothing and asks nothing after its reply, and what it has left running beneath is ended', async () => {
    const beneath = fakeModel({ text: 'late', until: new Promise(() => undefined) });
    const left: Promise<unknown>[] = [];
    let again: (() => Promise<unknown>) | undefined;
    let write = (): void => undefined;
    const model = await layer(beneath, (inner) => async (given, sink) => {
      left.push(inner.run(given, { text: () => undefined }));
      again = () => inner.run(given, sink);
      write = () => {
        sink.text('more');
      };
      await Promise.resolve();
      return own;
    });
    const { pieces } = await answered(model);
    await expect(left[0]).rejects.toThrow('the plugin has replied');
    await expect(again?.()).rejects.toThrow('the call is over');
    expect(write).toThrow('the call is over');
    expect(pieces).toEqual(['Mine.']);
  });

  // proves service-11-19
  it('of a later plugin is around that of an earlier one', async () => {
    const beneath = fakeModel({ text: 'x' });
    const tagged =
      (tag: string) =>
      (inner: PipelineModel): Run =>
      (given, sink) =>
        inner.run({ ...given, instructions: given.instructions + tag }, { text: (piece) => sink.text(tag + piece) });
    const first = await layer(beneath, tagged('1'));
    const both = await layer(first, tagged('2'));
    expect((await answered(both)).shown).toBe('21x');
    expect(beneath.requests[0]?.instructions).toBe('Be kind.21');
  });
});

describe('what a provider wants back beneath a layer (contract/models.md#what-comes-back)', () => {
  const extras = { of: 'm', content: { message: { reasoning_content: 'hm' } } };

  // proves service-3-46
  it('stays with the calls that the plugin keeps, and goes back with a message that it rewrites', async () => {
    const beneath = fakeModel({ text: 'Let me look.', toolCalls: [call('find_case')], more: { extras } });
    const model = await layer(beneath, (inner) => async (given, sink) => {
      const messages = given.messages.map((message) => ({ ...message, text: message.text.toUpperCase() }));
      return { ...(await inner.run({ ...given, messages }, sink)), finish: 'tool-calls' };
    });
    const { reply } = await answered(model);
    expect(reply.extras).toEqual(extras);
    const said = { role: 'assistant', text: 'Let me look.', toolCalls: reply.toolCalls, extras } as const;
    await answered(model, request({ messages: [asked, said] }));
    expect(beneath.requests[1]?.messages[1]).toMatchObject({ text: 'LET ME LOOK.', extras });
  });

  // proves service-3-46
  it('goes with the calls that the plugin drops or writes anew', async () => {
    const beneath = fakeModel({
      text: 'Let me look.',
      toolCalls: [call('find_case'), call('close_case')],
      more: { extras },
    });
    for (const keep of [() => [], (calls: PipelineReply['toolCalls']) => calls.slice(1), () => [call('mine')]]) {
      const model = await layer(beneath, (inner) => async (given, sink) => {
        const said = await inner.run(given, sink);
        return { ...said, toolCalls: keep(said.toolCalls) };
      });
      expect((await answered(model)).reply.extras).toBeUndefined();
    }
  });
});
