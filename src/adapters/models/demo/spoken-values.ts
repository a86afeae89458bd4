import type { Language } from '../../../core/language/language.ts';
import { isVerb, mentions, termsOf } from './lexicon.ts';
import { wordsOf } from './words.ts';

/** A number in a message, with the facts that tell which argument it is. */
export interface SpokenNumber {
  readonly value: number;
  /** The number as it was written, with its currency. */
  readonly text: string;
  readonly isMoney: boolean;
  /** The terms of the few words before the number. */
  readonly before: ReadonlySet<string>;
}

/** The parts of a message that can be arguments. */
export interface SpokenValues {
  readonly numbers: readonly SpokenNumber[];
  readonly quoted: readonly string[];
  /** Words that mix letters and digits: `AB-1002`. */
  readonly codes: readonly string[];
  readonly dates: readonly string[];
  /** The text behind "to", "auf", "in" or a colon: a new value in the user's own words. */
  readonly tail: string | undefined;
}

const dayPattern = /\b\d{4}-\d{2}-\d{2}\b/g;
const codePattern = /(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{3,40}(?![\w-])/g;
const numberPattern =
  /(?<currency>[€$£¥]\s?)?(?<![A-Za-z\d.,-])#?(?<digits>\d{1,15}(?:[.,]\d{1,6})*)(?![A-Za-z\d-])(?<unit>\s?(?:[€$£¥]|eur\b|euros?\b|usd\b|dollars?\b|gbp\b|pounds?\b|z[łl]|pln\b|円|元))?/giu;

/** The words between a thing and its new value, by language. "To" and a colon count in all languages. */
const separators: Readonly<Record<Language, RegExp>> = {
  English: /\s(?:to|into)\s+|:\s+/giu,
  Italian: /\s(?:to|in|a|con)\s+|:\s+/giu,
  French: /\s(?:to|en|à|par|pour|vers)\s+|:\s+/giu,
  German: /\s(?:to|auf|in|zu|nach)\s+|:\s+/giu,
  Spanish: /\s(?:to|a|por|en)\s+|:\s+/giu,
  Portuguese: /\s(?:to|para|por)\s+|:\s+/giu,
  Dutch: /\s(?:to|naar|in)\s+|:\s+/giu,
  Polish: /\s(?:to|na)\s+|:\s+/giu,
  Japanese: /\sto\s+|[:：]\s*|を/giu,
  Chinese: /\sto\s+|[:：]\s*|(?:更改|修改|更新|改|换)(?:为|成)/giu,
};
/** Japanese puts the verb behind the new value. */
const endOfJapaneseTail = /[にへ](?:変更|修正|更新|して|変えて)[^]*/u;

/**
 * Reads the values in a message. With `withTail`, the words behind "to" are one value, in which no numbers are looked for: in "change the
 * address of order 1004 to 5 Elm Street" only 1004 is a number.
 */
export function spokenValues(
  message: string,
  options: { readonly language: Language; readonly withTail: boolean },
): SpokenValues {
  const tail = options.withTail ? tailOf(message, options.language) : undefined;
  const withoutDates = message.slice(0, tail?.at).replace(dayPattern, ' ');
  return {
    numbers: numbersIn(withoutDates),
    quoted: [...message.matchAll(/["“„«「]([^"“”„«»「」]{1,500})["”“»」]/gu)].map(([, text = '']) => text.trim()),
    codes: [...withoutDates.matchAll(codePattern)].map(([code]) => code),
    dates: [...message.matchAll(dayPattern)].map(([date]) => date),
    tail: tail?.text,
  };
}

/** The text behind the first separator. The "to" in "I want to change" is no separator. */
function tailOf(message: string, language: Language): { readonly at: number; readonly text: string } | undefined {
  for (const separator of message.matchAll(separators[language])) {
    const rest = message.slice(separator.index + separator[0].length);
    const [nextWord = ''] = rest.split(/\s/, 1);
    const beginsVerb = /\s/.test(rest) && mentions(nextWord).some(({ concept }) => isVerb(concept));
    const text = withoutFullStop(language === 'Japanese' ? rest.replace(endOfJapaneseTail, '') : rest);
    if (!beginsVerb && text !== '') return { at: separator.index, text };
  }
  return undefined;
}

/** The numbers of a text in order. */
export function numbersIn(text: string): readonly SpokenNumber[] {
  return [...text.matchAll(numberPattern)].map((match) => ({
    value: numberOf(match.groups?.['digits'] ?? ''),
    text: match[0].trim(),
    isMoney: match.groups?.['currency'] !== undefined || match.groups?.['unit'] !== undefined,
    before: termsOf(wordsOf(text.slice(0, match.index)).slice(-3)),
  }));
}

/** A text without the full stop at its end. */
export function withoutFullStop(text: string): string {
  return text.trim().replace(/(?<![\s.!?。！？])[\s.!?。！？]+$/u, '');
}

/** `1,200.50`, `1.200,50`, `19.90` and `19,90`: the last separator is the decimal one, unless three digits follow it. */
function numberOf(digits: string): number {
  const groups = digits.split(/[.,]/);
  const last = groups.at(-1) ?? '';
  if (groups.length === 1 || last.length === 3) return Number(groups.join(''));
  return Number(`${groups.slice(0, -1).join('')}.${last}`);
}
