import { type HistorySummary, type KeptMessage, readKeptMessage, readSummary } from '../request/kept-message.ts';

/** The version MUST be increased when turns are written in a form that an older server cannot read. */
const version = 1;

/** A summary of what was said before a message of an earlier turn. */
export interface SummedBefore {
  /**
   * How many messages there are from that message up to the first message of the turn that keeps the summary. That message counts, the
   * first message of the turn does not.
   */
  readonly back: number;
  readonly summary: HistorySummary;
}

/** What the store keeps of a turn, before it is sealed. */
export interface KeptTurn {
  readonly messages: readonly KeptMessage[];
  readonly summed?: SummedBefore | undefined;
}

/** The text of a turn that is sealed. */
export function turnContent({ messages, summed }: KeptTurn): string {
  return JSON.stringify({ version, messages, summed });
}

/**
 * Reads a text that `turnContent` has made, perhaps in another version of the server. @throws Error when that version wrote another form.
 */
export function readKeptTurn(text: string): KeptTurn {
  // The seal proves that `turnContent` wrote the text, though perhaps in another version of the server.
  const content = JSON.parse(text) as { version?: number; messages?: unknown; summed?: unknown };
  const messages = content.version === version && Array.isArray(content.messages) ? content.messages : [undefined];
  const read = messages.map(readKeptMessage);
  const known = read.filter((message) => message !== undefined);
  if (known.length < read.length) throw new Error('it was stored by another version of this server');
  return { messages: known, summed: readSummed(content.summed) };
}

/**
 * The messages of the turns, the oldest first. The last summary is put at the first message that it does not sum up. If that message is not
 * kept any more, the summary is put at the first message that is kept.
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

/** Reads the summary of a turn. Undefined when there is none: another version may have kept no summary. */
function readSummed(summed: unknown): SummedBefore | undefined {
  const { back, summary } = (summed ?? {}) as { readonly back?: unknown; readonly summary?: unknown }; // JSON; looked at below
  const read = readSummary(summary);
  return read === undefined || typeof back !== 'number' ? undefined : { back, summary: read };
}
