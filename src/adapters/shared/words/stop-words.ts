import * as lists from 'stopword';
import { withoutMarks } from './stems.ts';

/** Words that questions consist of, and that are missing in the lists of the package. */
const more: Readonly<Record<string, string>> = {
  de: 'bitte brauche möchte will',
  en: 'does need please want when why will',
  es: 'cómo cuál cuáles cuándo cuánto cuántos debo dónde es favor hacer hay mis necesito puede puedo quiero quién si tengo yo',
  fr: 'combien comment dois faut peut peux plaît pourquoi puis quand quoi si veux voudrais',
  it: 'cosa devo dove favore posso può quale quando quanto quanti serve voglio vorrei',
  nl: 'alstublieft graag hoeveel waar waarom wanneer welk welke wil wordt',
  pl: 'chcę gdzie mogę muszę można proszę',
  pt: 'devo favor fazer há onde pode posso preciso quanto quantos quero tenho é',
};

const byLanguage: Readonly<Record<string, readonly string[]>> = {
  ar: lists.ara,
  ca: lists.cat,
  cs: lists.ces,
  da: lists.dan,
  de: lists.deu,
  en: lists.eng,
  es: lists.spa,
  eu: lists.eus,
  fi: lists.fin,
  fr: lists.fra,
  ga: lists.gle,
  hu: lists.hun,
  hy: lists.hye,
  it: lists.ita,
  nb: lists.nob,
  nl: lists.nld,
  nn: lists.nob,
  no: lists.nob,
  pl: lists.pol,
  pt: lists.por,
  ro: lists.ron,
  ru: lists.rus,
  sl: lists.slv,
  sv: lists.swe,
  tr: lists.tur,
};

const none: ReadonlySet<string> = new Set();
const made = new Map<string, ReadonlySet<string>>();

/**
 * The words of a language (ISO 639-1) that say nothing about the subject of a question. They are in lower case, with their marks and
 * without them.
 */
export function stopWordsOf(language: string): ReadonlySet<string> {
  const known = made.get(language);
  if (known !== undefined) return known;
  const list = Object.hasOwn(byLanguage, language) ? byLanguage[language] : undefined;
  if (list === undefined) return none;
  const words = [...list, ...(more[language] ?? '').split(' ')];
  // German "andern" (others) is a stop word, but "ändern" (to change) is not. So words are looked up as they were typed.
  const lower = words.map((word) => word.normalize('NFKC').toLowerCase());
  const set = new Set([...lower, ...lower.map(withoutMarks)]);
  made.set(language, set);
  return set;
}
