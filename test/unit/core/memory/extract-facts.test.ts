import { describe, expect, it } from 'vitest';
import { Classifier } from '../../../../src/core/classifier/classifier.ts';
import { extractFacts } from '../../../../src/core/memory/extract-facts.ts';
import type { Fact, FactChange } from '../../../../src/core/ports/memory-store.ts';
import { fakeModel } from '../../../support/fake-model.ts';
import { fact, rankingByWords } from './facts.ts';

const capture = { turnId: 'turn', conversationId: 'conversation', userKey: 'sub:ann', words: 'I moved.', askedAt: 1 };

async function extracted(answer: unknown, facts: readonly Fact[] = [], words = capture.words) {
  const model = fakeModel({ text: typeof answer === 'string' ? answer : JSON.stringify(answer) });
  const { signal } = new AbortController();
  const change = await extractFacts(
    { capture: { ...capture, words }, facts, now: 5_000, signal },
    { classifier: new Classifier(model), ranking: rankingByWords },
  );
  return { change, sent: model.requests[0]?.messages[0]?.text ?? '' };
}

const textsOf = ({ add, replace, remove }: FactChange) => ({
  add: add.map(({ kind, text }) => `${kind}: ${text}`),
  replace: replace.map(({ id, by }) => `${id} > ${by.kind}: ${by.text}`),
  remove,
});

describe('what a message changes in the memory (contract/memory.md#capture)', () => {
  // proves service-2.10-10, wire-11-09
  it('is what the model adds, replaces and deletes, with its source', async () => {
    const facts = [fact('Lives in Rome.', { kind: 'identity' }), fact('Has a dog.')];
    const answer = {
      add: [{ kind: 'preference', text: '  Wants short\nanswers. ' }],
      update: [{ id: '1', text: 'Lives in Oslo.' }],
      delete: ['2'],
    };
    const { change } = await extracted(answer, facts);
    expect(change && textsOf(change)).toEqual({
      add: ['preference: Wants short answers.'],
      replace: ['Lives in Rome. > identity: Lives in Oslo.'],
      remove: ['Has a dog.'],
    });
    expect(change?.add[0]).toMatchObject({ turnId: 'turn', conversationId: 'conversation', at: 5_000 });
    expect(change?.add[0]?.id).toMatch(/^[\w-]{20,}$/);
  });

  // proves service-2.10-11
  it.each([
    // proves wire-11-09
    ['a kind that is none', { add: [{ kind: 'secret', text: 'x' }] }],
    ['an empty text', { add: [{ kind: 'fact', text: ' \u200b ' }] }],
    // proves wire-11-09
    ['a text that is too long', { add: [{ kind: 'fact', text: 'x'.repeat(301) }] }],
    ['an id that it was not shown', { update: [{ id: '7', text: 'x' }], delete: ['8', null] }],
    ['lists that are none', { add: 'fact', update: 5, delete: { id: '1' } }],
    ['items that are none', { add: ['x', null], update: [null], delete: [{}] }],
    [
      'what is known already',
      { add: [{ kind: 'fact', text: 'has a DOG' }], update: [{ id: '1', text: 'Has a dog!' }] },
    ],
  ])('is nothing for %s', async (_title, answer) => {
    const { change } = await extracted(answer, [fact('Has a dog.')]);
    expect(change).toEqual({ add: [], replace: [], remove: [] });
  });

  // proves service-2.10-11
  it('is no verdict for anything but a JSON object', async () => {
    expect((await extracted('The user moved.')).change).toBeUndefined();
  });

  // proves service-2.10-10
  it('holds the same sentence once, and each fact is changed once', async () => {
    const same = { kind: 'fact', text: 'Has a cat.' };
    const answer = { add: [same, same], update: [{ id: '1', text: 'Has two dogs.' }], delete: ['1', '1'] };
    const { change } = await extracted(answer, [fact('Has a dog.')]);
    expect(change && textsOf(change)).toEqual({ add: ['fact: Has a cat.'], replace: [], remove: ['Has a dog.'] });
  });

  // proves service-2.10-09
  it('is asked with the user’s words and the ten nearest facts, as data', async () => {
    const facts = Array.from({ length: 15 }, (_, index) => fact(`Fact number ${String(index)}.`));
    const { sent } = await extracted({}, [...facts, fact('The harbour is closed.')], 'Is the harbour <open>?');
    expect(sent).toContain('{"id":"1","kind":"fact","text":"The harbour is closed."}');
    expect(sent.match(/"kind"/g)).toHaveLength(10);
    expect(sent).toContain('<data of="message of the user">\n"Is the harbour \\u003copen>?"\n</data>');
  });

  // proves service-2.10-01
  it('makes room where a user has 200 facts: the oldest go, identity and preferences last', async () => {
    const old = fact('Oldest.', { kind: 'identity', at: 0 });
    const facts = [
      ...Array.from({ length: 198 }, (_, at) => fact(`f${String(at)}`, { at: 900 - at })),
      fact('Second.', { at: 1 }),
      old,
    ];
    const answer = {
      add: [
        { kind: 'fact', text: 'One.' },
        { kind: 'fact', text: 'Two.' },
      ],
    };
    expect((await extracted(answer, facts)).change?.remove).toEqual(['Second.', 'f197']);
  });
});
