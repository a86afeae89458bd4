import type { Reference } from './conversation.ts';
import type { DemoPage } from './demo-options.ts';
import type { HeardMessage } from './heard-message.ts';
import { isVerb, termsOf } from './lexicon.ts';
import type { SpokenNumber } from './spoken-values.ts';
import { wordsOf, wordsOfName } from './words.ts';

/** A page that the user goes to, with the values of its placeholders. */
export interface PageVisit {
  readonly page: DemoPage;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface PageSources {
  readonly pages: readonly DemoPage[];
  readonly numbers: readonly SpokenNumber[];
  /** The last value that a placeholder had in this conversation. */
  readonly earlier: (placeholder: string) => Reference | undefined;
}

/** The page that a message asks for: the message has a verb such as "go to", or names a page. */
export function findPage(message: HeardMessage, sources: PageSources): PageVisit | undefined {
  const isAsked = message.verb === 'navigate' || (message.concepts.has('page') && isLooking(message));
  if (!isAsked) return undefined;
  const words = new Set(wordsOf(message.text));
  const visits = sources.pages
    .map((page) => ({ visit: visitOf(page, sources), points: fitness(page, message, words) }))
    .filter((candidate) => candidate.points > 0)
    .sort((one, other) => rank(other, sources) - rank(one, sources));
  return visits.find(({ visit }) => visit !== undefined)?.visit;
}

function isLooking(message: HeardMessage): boolean {
  return message.verb === undefined || message.verb === 'read';
}

/** Undefined when a placeholder of the address cannot be filled. */
function visitOf(page: DemoPage, sources: PageSources): PageVisit | undefined {
  const numbers = sources.numbers.map(({ value }) => value);
  const parameters: Record<string, unknown> = {};
  for (const name of placeholdersOf(page)) {
    const value = numbers.shift() ?? sources.earlier(name);
    if (value === undefined) return undefined;
    parameters[name] = value;
  }
  return { page, parameters };
}

/**
 * Ranks a page. A page that takes a number is ranked higher when the message has a number. A page that takes none is ranked higher when it
 * has none.
 */
function rank(
  candidate: { readonly visit: PageVisit | undefined; readonly points: number },
  sources: PageSources,
): number {
  if (candidate.visit === undefined) return -1;
  const takesNumber = Object.keys(candidate.visit.parameters).length > 0;
  return candidate.points + (takesNumber === sources.numbers.length > 0 ? 2 : 0);
}

function fitness(page: DemoPage, message: HeardMessage, words: ReadonlySet<string>): number {
  const own = [...wordsOfName(page.name), ...wordsOf(page.title)];
  const terms = [...termsOf(own)].filter((term) => term !== 'page' && !isVerb(term));
  const shared = terms.filter((term) => message.terms.has(term)).length;
  const exact = own.filter((word) => words.has(word)).length;
  return shared === 0 ? 0 : shared + exact * 0.25;
}

function placeholdersOf(page: DemoPage): readonly string[] {
  return [...(page.url ?? '').matchAll(/\{([A-Za-z0-9_]+)\}/g)].map(([, name = '']) => name);
}
