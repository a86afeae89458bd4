import { fill } from './widget-texts.ts';

/**
 * `fill` for a text with counts. The locale decides which form of a word fits a number (Intl.PluralRules). The first form goes with
 * "one", the second of three with "few", and the last with every other number.
 */
export function fillCounted(text: string, values: Readonly<Record<string, number>>, locale: string): string {
  const rules = new Intl.PluralRules(locale);
  const worded = text.replace(/\{(\w{1,64})\|([^}]{0,100})\}/g, (_, name: string, words: string) => {
    // indexOf gives -1 for all other numbers, which selects the last form.
    const index = ['one', 'few'].indexOf(rules.select(values[name] ?? 0));
    return words.split('|').at(index) ?? '';
  });
  return fill(worded, values);
}
