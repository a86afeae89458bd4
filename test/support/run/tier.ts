import { randomInt } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import type { Language } from '../../../src/wire/client-settings.ts';

/**
 * What a run plays. `npm run test:long` is `long`: all of it, in many rounds. Every other run plays a short round of what needs hours to find
 * something. A run that names its files (`files`) plays them whole; one of all files is `short`, and plays a part of long-files.ts.
 * vitest.config.ts sets it.
 */
export type Tier = 'short' | 'files' | 'long';

export const tier = (process.env['HELPER_TIER'] ?? 'short') as Tier; // set by vitest.config.ts and scripts/long-tests.ts

export const isLong = tier === 'long';

/** A file, to which long runs append one line of JSON for each figure: `Figure`. */
const figures = process.env['HELPER_TIER_FIGURES'];

/** How many rounds a long run has played of something. */
export interface Figure {
  readonly what: string;
  readonly count: number;
}

interface Rounds {
  /** What is counted, as the page of the long run says it. */
  readonly what: string;
  readonly short: number;
  readonly long: number;
  /** The environment variable that replaces both numbers. */
  readonly variable: string;
}

/** The number of rounds to play in this run. */
export function rounds({ what, short, long, variable }: Rounds): number {
  const chosen = process.env[variable];
  return count(what, chosen === undefined ? (isLong ? long : short) : Number(chosen));
}

/** The cases that this run plays: all of them in a long run, and those for which `isShort` is true in others. */
export function casesOf<Case>(
  what: string,
  cases: readonly Case[],
  isShort: (one: Case, index: number) => boolean,
): readonly Case[] {
  const played = isLong ? cases : cases.filter(isShort);
  if (played.length === 0) throw new Error(`a short run plays none of the cases of ${what}`);
  count(what, played.length);
  return played;
}

/**
 * Where the random numbers of a property begin: the same in each short run, so that a change is judged by itself, and others in each long
 * one. A failure prints the number, and the variable plays it again.
 */
export function seedOf(variable = 'HELPER_SEED'): number {
  const chosen = process.env[variable];
  return chosen === undefined ? (isLong ? randomInt(2 ** 31) : 1) : Number(chosen);
}

/** The languages that short runs show in the browser: one with long words, and one with other signs and widths. */
export function isShortLanguage(language: Language): boolean {
  return language === 'German' || language === 'Japanese';
}

function count(what: string, value: number): number {
  if (figures !== undefined) appendFileSync(figures, `${JSON.stringify({ what, count: value } satisfies Figure)}\n`);
  return value;
}
