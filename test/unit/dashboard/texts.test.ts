import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { languages } from '../../../src/wire/client-settings.ts';

const folder = new URL('../../../src/dashboard/texts/', import.meta.url);

async function textsOf(name: string): Promise<Readonly<Record<string, unknown>>> {
  const loaded = (await import(new URL(`${name}.ts`, folder).href)) as {
    readonly texts: Readonly<Record<string, unknown>>;
  };
  return loaded.texts;
}

/** Every text, those of functions with their parameters in. */
function written(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'function') {
    const parameter = { title: 'T', from: 'F', lines: 'L', toString: () => 'PARAMETER' };
    return [String((value as (given: unknown) => unknown)(parameter))];
  }
  return Object.values(value as object).flatMap(written);
}

describe('the texts of the dashboard (contract/operations.md#dashboard)', () => {
  it('are there in each of the ten languages, and in no other', () => {
    const files = readdirSync(folder).filter((file) => file !== 'dashboard-texts.ts');
    expect(files.toSorted()).toEqual(languages.map((language) => `${language.toLowerCase()}.ts`).toSorted());
  });

  it.each(languages)('of %s are whole: no empty one, and no sentence is the English one', async (language) => {
    const [own, english] = [await textsOf(language.toLowerCase()), await textsOf('english')];
    expect(Object.keys(own)).toEqual(Object.keys(english));
    expect(written(own).filter((text) => text.trim() === '')).toEqual([]);
    if (language === 'English') return;
    const same = written(own).filter(
      (text, index) => text === written(english)[index] && text.length > 14 && !/^(?:Callback|Agent) /.test(text),
    );
    expect(same).toEqual([]);
  });

  it.each(languages)('of %s say what they are given', async (language) => {
    const texts = await textsOf(language.toLowerCase());
    for (const name of ['roleMissing', 'refused', 'stale', 'asOf', 'oldest', 'peak', 'callback', 'compared', 'asCsv']) {
      expect((texts[name] as (given: string) => string)('GIVEN'), name).toContain('GIVEN');
    }
  });
});
