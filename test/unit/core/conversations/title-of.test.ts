import { describe, expect, it } from 'vitest';
import { titleOf } from '../../../../src/core/conversations/title-of.ts';
import type { KeptMessage } from '../../../../src/core/request/kept-message.ts';

const user = (text: string): KeptMessage => ({ message: { role: 'user', text }, at: 1 });
const form = '<data of="form the user submitted">\n{"cardId":"c"}\n</data>\n';

describe('the first title of a conversation (contract/sessions.md#kept-conversations)', () => {
  // proves service-2.9-78
  it.each([
    ['the message', [user('Where is it?')], 'Where is it?'],
    ['one line without what nobody sees', [user('  Where\n\tis\u202e it\u0000? ')], 'Where is it ?'],
    ['whole words of a long message', [user('word '.repeat(40))], `${'word '.repeat(11).trim()}…`],
    ['the beginning of a long word', [user('x'.repeat(200))], `${'x'.repeat(59)}…`],
    ['no half of a character', [user('🙂'.repeat(100))], `${'🙂'.repeat(59)}…`],
    ['the first message that has words', [user(form), user('Then this')], 'Then this'],
    ['nothing where nothing was typed', [user(form)], ''],
  ])('is %s', (_what, messages, title) => {
    expect(titleOf(messages)).toBe(title);
  });
});
