import type { ModelReply } from '../../../core/ports/chat-model.ts';
import type { HostedReply } from '../../../core/ports/hosted-tools.ts';
import type { PipelineReply } from '../../../plugin-api/pipeline.ts';
import { hasMembers } from '../../shared/members.ts';
import { callsOf, shownCalls } from './shown-calls.ts';
import { countOf, WrongShape } from '../wrong-shape.ts';

const finishes: readonly ModelReply['finish'][] = ['stop', 'tool-calls', 'length', 'content-filter'];

/** A reply of the model beneath, in the form that a plugin gets. */
export function shownReply(reply: ModelReply): PipelineReply {
  const { text, toolCalls, usage, model, finish } = reply;
  return Object.freeze({ text, toolCalls: shownCalls(toolCalls), usage, model, finish });
}

/**
 * The reply that a plugin returns. `beneath` has the replies that the plugin got in this call, by the objects that it was shown. A plugin
 * may put its reply together from parts of them. What the provider's own tools did for any of them therefore stays with the reply.
 * @throws TypeError that says what is wrong with it.
 */
export function replyFrom(given: unknown, beneath: ReadonlyMap<object, ModelReply>): ModelReply {
  const replies = [...beneath.values()];
  const known = typeof given === 'object' && given !== null ? beneath.get(given) : undefined;
  const reply = known ?? checkedReply(given, replies);
  const hosted = joinHosted(replies);
  return hosted === undefined || (known !== undefined && replies.length === 1) ? reply : { ...reply, hosted };
}

function checkedReply(given: unknown, replies: readonly ModelReply[]): ModelReply {
  if (!hasMembers(given)) throw new WrongShape('run must give a reply');
  const { text, toolCalls: written, usage, model, finish } = given;
  if (typeof text !== 'string') throw new WrongShape('the text of a reply must be text');
  if (typeof model !== 'string' || model === '') throw new WrongShape('a reply must name its model');
  const known = finishes.find((one) => one === finish);
  if (known === undefined) throw new WrongShape(`finish must be one of ${finishes.join(', ')}`);
  const toolCalls = callsOf(written);
  const reply = { text, toolCalls, usage: usageOf(usage), model, finish: known };
  // The items of a reply that waits for an approval stay only while a call of that reply still asks for it.
  const asking = toolCalls.filter((call) => call.hosted !== undefined);
  const waiting = replies.find((one) => asking.some((call) => one.toolCalls.includes(call)));
  const kept = waiting?.items === undefined ? reply : { ...reply, items: waiting.items };
  const extras = replies.find((one) => one.extras !== undefined && isSame(one.toolCalls, toolCalls))?.extras;
  return extras === undefined ? kept : { ...kept, extras };
}

/** Whether these are all the calls of a reply: its provider wants back what it wrote beside them. */
function isSame(calls: ModelReply['toolCalls'], given: ModelReply['toolCalls']): boolean {
  return calls.length > 0 && calls.length === given.length && calls.every((call, index) => call === given[index]);
}

/** What the provider's own tools did for all of these replies. Each call and each citation is named once. */
function joinHosted(replies: readonly ModelReply[]): HostedReply | undefined {
  const all = replies.flatMap(({ hosted }) => (hosted === undefined ? [] : [hosted]));
  if (all.length === 0) return undefined;
  const calls = new Map(all.flatMap((one) => one.calls.map((call) => [call.id, call])));
  const cited = all.flatMap((one) =>
    one.citations.map((citation) => [`${citation.kind} ${citation.id}`, citation] as const),
  );
  return { calls: [...calls.values()], citations: [...new Map(cited).values()] };
}

function usageOf(given: unknown): ModelReply['usage'] {
  const usage = hasMembers(given) ? given : {};
  const { cachedInputTokens: cached } = usage;
  return {
    inputTokens: countOf(usage['inputTokens']),
    outputTokens: countOf(usage['outputTokens']),
    ...(cached === undefined ? {} : { cachedInputTokens: countOf(cached) }),
  };
}
