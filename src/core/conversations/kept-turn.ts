import { type HistorySummary, type KeptMessage, readKeptMessage, readSummary } from '../request/kept-message.ts';

/** Counts up when what is said is written in a form that an older server could not read. */
const version = 1;

/** Sums up what came before a message of an earlier turn. */
export interface SummedBefore {
  /** How many messages lie between that message, itself included, and the first one of the turn that keeps the summary. */
  readonly back: number;
  readonly summary: HistorySummary;
}

/** What the store keeps of a turn, before it is sealed. */
export interface KeptTurn {
  readonly messages: readonly KeptMessage[];
  readonly summed?: SummedBefore | undefined;
}

/** What of a turn is sealed. */
export function turnContent({ messages, summed }: KeptTurn): string {
  return JSON.stringify({ version, messages, summed });
}

/** Reads what `turnContent` has made, though perhaps in another version. @throws Error when that version wrote something else. */
export function readKeptTurn(text: string): KeptTurn {
  // Authenticated: written by `turnContent`, though perhaps by another version.
  const content = JSON.parse(text) as { version?: number; messages?: unknown; summed?: unknown };
  const messages = content.version === version && Array.isArray(content.messages) ? content.messages : [undefined];
  const read = messages.map(readKeptMessage);
  const known = read.filter((message) => message !== undefined);
  if (known.length < read.length) throw new Error('it was stored by another version of this server');
  return { messages: known, summed: readSummed(content.summed) };
}

/**
 * The messages of turns, the oldest first, with the last summary beside the first message behind what it sums up. Where that message is
 * not kept any more, the summary stands before the first one that is.
 */
export function withSummaries(turns: readonly KeptTurn[]): readonly KeptMessage[] {
  const all: KeptMessage[] = [];
  let last: { readonly index: number; readonly summary: HistorySummary } | undefined;
  for (const { messages, summed } of turns) {
    if (summed !== undefined) last = { index: Math.max(0, all.length - summed.back), summary: summed.summary };
    all.push(...messages);
  }
  const holder = last && all[last.index];
  if (last !== undefined && holder !== undefined) all[last.index] = { ...holder, before: last.summary };
  return all;
}

/** Another version may have kept none. */
function readSummed(summed: unknown): SummedBefore | undefined {
  const { back, summary } = (summed ?? {}) as { readonly back?: unknown; readonly summary?: unknown }; // JSON; looked at below
  const read = readSummary(summary);
  return read === undefined || typeof back !== 'number' ? undefined : { back, summary: read };
}
