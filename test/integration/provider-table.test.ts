import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ChatMessage, ModelReply, ToolDeclaration } from '../../src/core/ports/chat-model.ts';
import { CollectedText, modelRequest } from '../support/model-requests.ts';
import { OpenedModels } from '../support/opened-models.ts';
import { type Act, type ProviderWire, providerWires } from '../support/providers/wires.ts';

const models = new OpenedModels();
afterEach(() => models.close());

const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/models.md'), 'utf8');
const section = guide.slice(guide.indexOf('## What works with whom'), guide.indexOf('## The demo model'));
const [head = [], , ...rows] = section
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

const tools: readonly ToolDeclaration[] = ['get_order', 'get_price'].map((name) => ({
  name,
  description: name,
  parameters: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
}));

/** Asks a model that does these things in turn. Each reply with calls is followed by their results. */
async function played(wire: ProviderWire, acts: readonly Act[], first: ChatMessage = { role: 'user', text: 'Where?' }) {
  const { model, requests } = await wire.open(models, acts);
  const messages: ChatMessage[] = [first];
  const replies: ModelReply[] = [];
  let shown = '';
  for (const _act of acts) {
    const sink = new CollectedText();
    const reply = await model.run(modelRequest({ messages: [...messages], tools }), sink);
    shown += sink.unescaped;
    replies.push(reply);
    const { text, toolCalls, extras } = reply;
    messages.push({ role: 'assistant', text, toolCalls, ...(extras === undefined ? {} : { extras }) });
    for (const { id, name } of toolCalls) messages.push({ role: 'tool', callId: id, name, text: 'shipped' });
  }
  return { replies, shown, requests: requests() };
}

/** What a tick in each column of the table stands for. */
const columns: Readonly<Record<string, (wire: ProviderWire) => Promise<void>>> = {
  async Text(wire) {
    const { shown, replies } = await played(wire, ['says']);
    expect(shown).toBe('It has left.');
    expect(replies[0]).toMatchObject({ text: 'It has left.', finish: 'stop' });
  },
  async Tools(wire) {
    const { shown, replies, requests } = await played(wire, ['calls', 'says']);
    expect(replies[0]).toMatchObject({
      finish: 'tool-calls',
      toolCalls: [{ name: 'get_order', arguments: '{"id":1}' }],
    });
    expect(requests[0]).toContain('get_price');
    expect(requests[1]).toContain('shipped');
    expect(shown).toBe('It has left.');
  },
  async 'Parallel calls'(wire) {
    const { replies, requests } = await played(wire, ['calls both', 'says']);
    expect(replies[0]?.toolCalls).toMatchObject([
      { name: 'get_order', arguments: '{"id":1}' },
      { name: 'get_price', arguments: '{"id":1}' },
    ]);
    expect(requests[1]?.split('shipped')).toHaveLength(3);
  },
  async 'Thinking with tools'(wire) {
    const { replies, shown, requests } = await played(wire, ['thinks and calls', 'says']);
    expect(replies[0]?.toolCalls).toHaveLength(1);
    expect(shown).toBe('It has left.');
    for (const part of wire.back) expect(requests[1]).toContain(part);
  },
  async Pictures(wire) {
    const image = { name: 'a.png', mediaType: 'image/png', data: 'iVBORw0KGgo=' } as const;
    const { requests } = await played(wire, ['says'], { role: 'user', text: 'What is it?', images: [image] });
    expect(requests[0]).toContain(wire.picture);
  },
  async Tokens(wire) {
    const { replies } = await played(wire, ['says']);
    const { inputTokens, outputTokens } = wire.usage;
    expect(replies[0]?.usage).toMatchObject({ inputTokens, outputTokens });
  },
  async 'Cached tokens'(wire) {
    const { replies } = await played(wire, ['says']);
    expect(replies[0]?.usage).toMatchObject({ cachedInputTokens: wire.usage.cachedInputTokens });
  },
  async 'Cut replies'(wire) {
    const { replies } = await played(wire, ['is cut']);
    expect(replies[0]).toMatchObject({ text: 'It has ', finish: 'length' });
  },
};

const ticks = rows.flatMap(([name = '', ...cells]) =>
  cells.flatMap((cell, index) => (cell === '✓' ? [[name.replaceAll('`', ''), head[index + 1] ?? ''] as const] : [])),
);

describe('the table of providers (contract/models.md#providers)', () => {
  // proves configuration-4-05
  it('has a row for each provider that can be named', () => {
    const named = rows.map(([name = '']) => name.replaceAll('`', ''));
    expect(named.toSorted()).toEqual(Object.keys(providerWires).toSorted());
    expect(head.slice(1)).toEqual(Object.keys(columns));
    expect(ticks.length).toBeGreaterThan(80);
  });

  // proves configuration-4-05
  it.each(ticks.map(([name, column]) => [name, column, providerWires[name]?.source ?? ''] as const))(
    'is true: %s, %s (%s)',
    async (name, column) => {
      const wire = providerWires[name];
      const proof = columns[column];
      if (wire === undefined || proof === undefined) throw new Error('there is no such row or column');
      await proof(wire);
    },
  );
});
