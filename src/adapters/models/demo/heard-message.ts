import { isSpaceless, isVerb, mentions, termsOf, type Concept, type Mention, type Verb } from './lexicon.ts';
import { plainText, wordsOf } from './words.ts';

/** A user's message as far as the demo model understands it. */
export interface HeardMessage {
  readonly text: string;
  /** The verb of the request. Undefined when the message has no verb of the lexicon. */
  readonly verb: Verb | undefined;
  readonly concepts: ReadonlySet<Concept>;
  readonly terms: ReadonlySet<string>;
}

/** The words that may stand before "open" in a request. In "my open orders" the word is a property and no request. */
const beforeRequest = /^ (?:(?:[a-z ]+ )?(?:please|you|to|and|then|just|now|so) )?$/;

/** The beginning of an English question about a state: "was order 1002 cancelled" is no request to cancel it. */
const asksForState = /^ (?:is|are|was|were|has|have|had) /;

/** Reads a message. Its main verb is the first one, but in Japanese the last one. */
export function hear(text: string): HeardMessage {
  const plain = plainText(text);
  const found = mentions(text).filter((mention) => !isProperty(mention, plain));
  const verbs = found.map(({ concept }) => concept).filter(isVerb);
  const isJapanese = /[\p{sc=Hiragana}\p{sc=Katakana}]/u.test(text);
  return {
    text,
    verb: isJapanese ? verbs.at(-1) : verbs[0],
    concepts: new Set(found.map(({ concept }) => concept)),
    terms: new Set([...termsOf(wordsOf(text)), ...found.map(({ concept }) => concept)]),
  };
}

/** Whether the message holds nothing but numbers and small words, as in "and 1003?". */
export function isBareNumber(message: HeardMessage): boolean {
  const others = [...message.terms].filter((term) => !/^\d/.test(term) && term.length > 2);
  return message.verb === undefined && /\d/.test(message.text) && others.length === 0 && !isSpaceless(message.text);
}

function isProperty({ concept, at }: Mention, plain: string): boolean {
  if (concept === 'navigate' && plain.startsWith(' open ', at)) return !beforeRequest.test(plain.slice(0, at + 1));
  return isVerb(concept) && asksForState.test(plain) && /^ \w+ed /.test(plain.slice(at));
}
