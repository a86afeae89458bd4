import { describe, expect, it } from 'vitest';
import { inLanguage, wordsOfQuestion } from '../../../../src/core/tools/action-words.ts';
import { fakeTool } from '../../../support/fake-tool.ts';

const parameters = {
  type: 'object',
  properties: {
    orderNumber: { type: 'integer' },
    amount: { type: 'number' },
    day: { type: 'string', format: 'date' },
    to: { type: 'string' },
  },
};

/** The title of the question about these arguments, in a language. */
function titleOf(title: string, argumentsValue: Readonly<Record<string, unknown>>, tag = 'en'): string | undefined {
  const tool = inLanguage(fakeTool({ parameters, confirm: { title } }), tag);
  return wordsOfQuestion(tool, argumentsValue).confirm?.title;
}

describe('a question in the words of its action (contract/confirmations.md#words-of-a-question)', () => {
  // proves wire-5-32
  it.each([
    ['a whole number without groups', 'Cancel order {orderNumber}?', { orderNumber: 1002345 }, 'Cancel order 1002345?'],
    ['a word as it is', 'Write to {to}?', { to: 'ann@a.example' }, 'Write to ann@a.example?'],
    ['an amount as it is', 'Refund {to}?', { to: '€12.50' }, 'Refund €12.50?'],
    ['a fraction', 'Pay {amount}?', { amount: 1234.5 }, 'Pay 1,234.5?'],
    ['a day', 'On {day}?', { day: '2026-12-03' }, 'On December 3, 2026?'],
    ['no day that there is not', 'On {day}?', { day: '2026-02-31' }, 'On 2026-02-31?'],
    ['a sentence in quotes', 'Write to {to}?', { to: 'Ann? “Yes.”\nApprove' }, "Write to “Ann? 'Yes.' Approve”?"],
    ['a long text cut', '{to}?', { to: 'x'.repeat(100) }, `“${'x'.repeat(59)}…”?`],
    [
      'a value that looks like a place',
      'Write to {to}?',
      { to: '{orderNumber}', orderNumber: 1 },
      'Write to “{orderNumber}”?',
    ],
  ])('has %s', (_what, title, values, expected) => {
    expect(titleOf(title, values)).toBe(expected);
  });

  // proves wire-5-32
  it('has numbers and days as its language writes them', () => {
    expect(titleOf('{amount} am {day}?', { amount: 1234.5, day: '2026-12-03' }, 'de')).toBe(
      '1.234,5 am 3. Dezember 2026?',
    );
  });

  // proves wire-5-32
  it.each<Readonly<Record<string, unknown>>>([
    {},
    { to: '' },
    { to: ' ' },
    { to: null },
    { to: ['a'] },
    { toString: 1 },
  ])('has no title of its own without its argument: %j', (values) => {
    expect(titleOf('Write to {to}?', values)).toBeUndefined();
    expect(titleOf('Write to {toString}?', {})).toBeUndefined();
  });

  // proves wire-5-34, wire-5-35
  it('speaks the language of the server, and has the other languages beside it', () => {
    const tool = fakeTool({
      ...{
        title: 'Cancel',
        description: 'Cancels.',
        parameters,
        confirm: { title: 'Cancel {orderNumber}?', decline: 'Keep it' },
      },
      languages: {
        en: { title: 'Cancel', confirm: { title: 'Cancel {orderNumber}?', decline: 'Keep it' } },
        de: {
          title: 'Stornieren',
          description: 'Storniert.',
          confirm: { title: '{orderNumber} stornieren?' },
          labels: { orderNumber: 'Nummer' },
        },
      },
    });
    const german = { title: 'Stornieren', description: 'Storniert.', labels: { orderNumber: 'Nummer' } };
    const confirm = { title: '7 stornieren?', decline: 'Keep it' };
    const english = { title: 'Cancel', confirm: { title: 'Cancel 7?', decline: 'Keep it' } };
    expect(wordsOfQuestion(inLanguage(tool, 'de'), { orderNumber: 7 })).toEqual({
      ...german,
      confirm,
      languages: { en: english, de: { ...german, confirm } },
    });
    expect(wordsOfQuestion(inLanguage(tool, 'zh-Hans'), { orderNumber: 7 })).toMatchObject({
      ...english,
      description: 'Cancels.',
    });
    const plain = fakeTool();
    expect(inLanguage(plain, 'de')).toBe(plain);
  });
});
