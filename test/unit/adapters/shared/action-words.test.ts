import { describe, expect, it } from 'vitest';
import { confirmFaults, localizedFault, wordsOf } from '../../../../src/adapters/shared/action-words.ts';
import { readToolSchema } from '../../../../src/adapters/shared/tool-schema.ts';

const parameters = { type: 'object', properties: { to: { type: 'string' }, tags: { type: 'array' }, any: {} } };

describe('the words that an action declares (contract/confirmations.md#words-of-a-question)', () => {
  // proves wire-5-34
  it('are those of one language, or of several', () => {
    expect(wordsOf({ description: 'Cancels.' }, 'Cancel order')).toEqual({
      title: 'Cancel order',
      description: 'Cancels.',
    });
    const confirm = { title: { de: 'Weg?', en: 'Away?' }, approve: 'OK' };
    expect(
      wordsOf({ title: { de: 'Stornieren' }, description: { en: 'C', de: 'S' }, confirm }, 'x', { fr: { to: 'À' } }),
    ).toEqual({
      title: 'Stornieren',
      description: 'C',
      confirm: { title: 'Away?', approve: 'OK' },
      languages: {
        de: { title: 'Stornieren', description: 'S', confirm: { title: 'Weg?' } },
        en: { description: 'C', confirm: { title: 'Away?' } },
        fr: { labels: { to: 'À' } },
      },
    });
  });

  // proves wire-5-34
  it('may name arguments in several languages, of which the schema keeps the first', async () => {
    const title = { de: 'An', en: 'To' };
    const { schema, labels } = await readToolSchema({
      type: 'object',
      properties: { to: { type: 'string', title }, cc: { type: 'string' } },
    });
    expect(schema).toEqual({
      type: 'object',
      properties: { to: { type: 'string', title: 'To' }, cc: { type: 'string' } },
    });
    expect(labels).toEqual({ de: { to: 'An' }, en: { to: 'To' } });
    const unknown = readToolSchema({ type: 'object', properties: { to: { type: 'string', title: { xx: 'To' } } } });
    await expect(unknown).rejects.toThrow('the title of to has the language xx; there are: en, it, ');
  });

  // proves wire-5-34
  it.each([
    ['Orders', undefined],
    [{ en: 'Orders', zh: '订单' }, undefined],
    ['  ', 'must be text that is not blank'],
    [{}, 'must be text, or a text for each of several languages'],
    [7, 'must be text, or a text for each of several languages'],
    [{ en: '' }, 'must have texts that are not blank'],
    [{ tlh: 'x' }, 'has the language tlh; there are: en, it, fr, de, es, pt, nl, pl, ja, zh'],
  ])('are texts in languages that there are: %j', (value, fault) => {
    expect(localizedFault(value)).toBe(fault);
  });

  // proves wire-5-31
  it('name declared texts and numbers alone', () => {
    expect(confirmFaults({ confirm: { title: { en: 'To {to}, {any}?', de: 'An {to}?' } } }, parameters)).toEqual([]);
    expect(confirmFaults({ confirm: { title: 'To {cc}?' } }, parameters)).toEqual([
      'names {cc}, which is no argument; there are: to, tags, any',
    ]);
    expect(confirmFaults({ confirm: { title: { en: 'x', de: '{tags}?' } } }, parameters)).toEqual([
      'names {tags}, which is neither a text nor a number',
    ]);
  });
});
