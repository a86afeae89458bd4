import { fill } from './widget-texts.ts';

/**
 * `fill` for a text that counts: of the forms of a word, the first goes with "one", the second of three with "few", and the last with
 * every other number, as the locale counts (Intl.PluralRules).
 */
export function fillCounted(text: string, values: Readonly<Record<string, number>>, locale: string): string {
  const rules = new Intl.PluralRules(locale);
  const worded = text.replace(/\{(\w+)\|(.*?)\}/g, (_, name: string, words: string) => {
    // The last is at -1.
    const index = ['one', 'few'].indexOf(rules.select(values[name] ?? 0));
    return words.split('|').at(index) ?? '';
  });
  return fill(worded, values);
}
