import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const source = join(import.meta.dirname, '../../../../src');
const folders = ['core/language/texts', 'widget/texts', 'adapters/models/demo/texts'];

/** Words of the other form of address, by language. A language without such forms is left out. */
const foreign = {
  // These languages say the informal form.
  italian: words('lei|su[oaei]|aiutarla|chieda|riprovi|verifichi|formuli|attenda|scriva|può usare'),
  spanish: words('usted|sus?|les?|ayudarle|espere|pregunte|compruebe|vuelva a|inténtelo|compruébelo|formúlelo|escriba'),
  polish: words('proszę|pan|pani|państw\\p{L}*'),
  // These languages say the formal form.
  german: words('du|dir|dich|dein\\p{L}*'),
  french: words('tu|toi|ton|ta|tes'),
  portuguese: words('tu|ti|teus?|tuas?'),
  dutch: words('je|jij|jou|jouw'),
  chinese: /你/g,
};

function words(all: string): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${all})(?!\\p{L})`, 'giu');
}

describe('the form of address (contract/assistant.md#language)', () => {
  it.each(
    Object.entries(foreign).flatMap(([language, pattern]) =>
      folders.map((folder) => [language, folder, pattern] as const),
    ),
  )('is the same in all %s texts of %s', (language, folder, pattern) => {
    const lines = readFileSync(join(source, folder, `${language}.ts`), 'utf8').split('\n');
    const texts = lines.filter((line) => /['`"]/.test(line) && !line.startsWith('import'));
    expect(texts.length).toBeGreaterThan(20);
    expect(texts.filter((line) => line.search(pattern) >= 0)).toEqual([]);
  });
});
