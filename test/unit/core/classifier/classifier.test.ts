import { describe, expect, it } from 'vitest';
import { Classifier } from '../../../../src/core/classifier/classifier.ts';
import { ModelError } from '../../../../src/core/ports/chat-model.ts';
import { fakeModel } from '../../../support/fake-model.ts';

const never = new Promise<never>(() => undefined);

function question(changes: { readonly timeoutMs?: number; readonly signal?: AbortSignal } = {}) {
  const { signal } = new AbortController();
  return { instructions: 'Is it safe?', text: 'Hello', timeoutMs: 5_000, signal, tenant: 'north', ...changes };
}

describe('a small question (contract/models.md#small-questions)', () => {
  // proves service-2.14-02
  it('is one message without tools, asked at temperature 0', async () => {
    const model = fakeModel({ text: ' Order 1003 \n' });
    expect(await new Classifier(model).words(question())).toBe('Order 1003');
    expect(model.requests).toEqual([
      expect.objectContaining({
        instructions: 'Is it safe?',
        messages: [{ role: 'user', text: 'Hello', origin: 'user' }],
        tools: [],
        tenant: 'north',
        temperature: 0,
        format: undefined,
      }),
    ]);
  });

  // proves service-2.14-04
  it.each([
    ['as it is', '{"safe": true}', { safe: true }],
    ['in a code block', '```json\n{"safe": false}\n```', { safe: false }],
    ['not in a list', '[{"safe": true}]', undefined],
    ['not in prose', 'Sure: {"safe": true}', undefined],
    ['not in a word', 'null', undefined],
    ['not in nothing', '', undefined],
    ['not in endless text', `{"safe": true, "why": "${'x'.repeat(20_000)}"}`, undefined],
  ])('has its verdict in one JSON object: %s', async (_title, text, verdict) => {
    const model = fakeModel({ text });
    expect(await new Classifier(model).object(question())).toEqual(verdict);
    expect(model.requests[0]?.format).toBe('json');
  });

  it.each([
    ['as it is', '{"safe": true}', true],
    ['in a code block', '```json\n{ "safe" : false }\n```', false],
    ['not with another name', '{"answer": true}', undefined],
    ['not with a text', '{"safe": "true"}', undefined],
    ['not with two answers', '{"safe": false, "safe": true}', undefined],
    ['beside its reason', '{"safe": false, "why": "it says \\"safe\\": true"}', false],
    ['not with two answers, one of them spelled out', '{"safe": false, "s\\u0061fe": true}', undefined],
    ['not in endless text', `${' '.repeat(20_001)}{"safe": true}`, undefined],
  ])('is answered with yes or no by one member: %s', async (_title, text, verdict) => {
    const model = fakeModel({ text });
    expect(await new Classifier(model).verdict(question(), 'safe')).toBe(verdict);
    expect(model.requests[0]?.format).toBe('json');
  });

  // proves service-2.14-05
  it('ends with model_timeout after its time, whatever the model does', async () => {
    const deaf = { ...fakeModel(), run: () => never };
    await expect(new Classifier(deaf).words(question({ timeoutMs: 5 }))).rejects.toMatchObject({
      code: 'model_timeout',
      message: 'no answer to a small question within 5 ms',
    });
  });

  // proves service-2.14-05
  it('ends with the reason of its signal, and does not begin after that', async () => {
    const model = fakeModel({ until: never });
    const stop = new AbortController();
    const answer = new Classifier(model).words(question({ signal: stop.signal }));
    const reason = new Error('the turn is over');
    stop.abort(reason);
    await expect(answer).rejects.toBe(reason);
    await expect(new Classifier(model).words(question({ signal: stop.signal }))).rejects.toBe(reason);
  });

  it('fails with the fault of its model', async () => {
    const fails = new ModelError('model_unavailable', 'away', { transient: true });
    await expect(new Classifier(fakeModel({ fails })).object(question())).rejects.toBe(fails);
  });
});
