import type { ChatMessage } from '../ports/chat-model.ts';
import { collapseResult } from './collapse-result.ts';

/** How messages are shortened. Both numbers are indexes of messages; 0 changes nothing. JSON, for the record. */
export interface Cut {
  /** The first message that stays. */
  readonly from: number;
  /** Results of tools before this index are one line each. */
  readonly collapsedTo: number;
}

/** How far one stage of shortening may go. */
export interface CutStage {
  /** Only results of tools before this index may collapse. */
  readonly collapseTo: number;
  /** Only turns that begin before this index may be left out. */
  readonly dropTo: number;
}

/** The messages that stay after a cut, in their order. */
export function withCut(messages: readonly ChatMessage[], { from, collapsedTo }: Cut): readonly ChatMessage[] {
  if (from === 0 && collapsedTo === 0) return messages;
  return messages.slice(from).map((message, index) => (from + index < collapsedTo ? collapseResult(message) : message));
}

/** Where the turns begin: with each message of the user. What stands before the first of these is a turn too. */
export function turnStarts(messages: readonly ChatMessage[]): readonly number[] {
  return messages.flatMap(({ role }, index) => (index === 0 || role === 'user' ? [index] : []));
}

/**
 * The smallest cut with which the messages have at most `limit` tokens, or the largest that the stages allow. In each stage the results of
 * tools collapse first, then whole turns are left out, both from the oldest on. A call therefore never loses its result, nor a
 * result its call.
 */
export function cutTo(
  limit: number,
  messages: readonly ChatMessage[],
  { stages, tokensOf }: { readonly stages: readonly CutStage[]; readonly tokensOf: (message: ChatMessage) => number },
): { readonly cut: Cut; readonly tokens: number } {
  let tokens = messages.reduce((sum, message) => sum + tokensOf(message), 0);
  let [from, collapsedTo] = [0, 0];
  const starts = turnStarts(messages);
  for (const { collapseTo, dropTo } of stages) {
    for (; tokens > limit && collapsedTo < collapseTo; collapsedTo += 1) {
      const message = messages[collapsedTo];
      if (message !== undefined && collapsedTo >= from) tokens += tokensOf(collapseResult(message)) - tokensOf(message);
    }
    while (tokens > limit && from < dropTo) {
      const next = starts.find((start) => start > from) ?? messages.length;
      const dropped = withCut(messages.slice(0, next), { from, collapsedTo });
      tokens -= dropped.reduce((sum, message) => sum + tokensOf(message), 0);
      from = next;
    }
  }
  return { cut: { from, collapsedTo }, tokens };
}
