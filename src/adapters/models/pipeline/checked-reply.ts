import type { ModelReply } from '../../../core/ports/chat-model.ts';
import { hasMembers } from '../../shared/members.ts';
import { callsOf } from './shown-request.ts';

const finishes: readonly ModelReply['finish'][] = ['stop', 'tool-calls', 'length', 'content-filter'];

/** What a plugin gives as the reply of a model. @throws TypeError that says what is wrong with it. */
export function checkedReply(given: unknown): ModelReply {
  if (!hasMembers(given)) throw new TypeError('run must give a reply');
  const { text, toolCalls, usage, model, finish } = given;
  if (typeof text !== 'string') throw new TypeError('the text of a reply must be text');
  if (typeof model !== 'string' || model === '') throw new TypeError('a reply must name its model');
  const known = finishes.find((one) => one === finish);
  if (known === undefined) throw new TypeError(`finish must be one of ${finishes.join(', ')}`);
  return { text, toolCalls: callsOf(toolCalls), usage: usageOf(usage), model, finish: known };
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

function countOf(given: unknown): number {
  if (typeof given === 'number' && Number.isSafeInteger(given) && given >= 0) return given;
  throw new TypeError('usage must have inputTokens and outputTokens, numbers of 0 or more');
}
