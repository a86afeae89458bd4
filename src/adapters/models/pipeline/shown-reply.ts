import type { ModelReply } from '../../../core/ports/chat-model.ts';
import type { PipelineReply } from '../../../plugin-api/pipeline.ts';
import { hasMembers } from '../../shared/members.ts';
import { callsOf, shownCalls } from './shown-calls.ts';

const finishes: readonly ModelReply['finish'][] = ['stop', 'tool-calls', 'length', 'content-filter'];

/** The key of the whole reply on the object that a plugin gets. A copy of that object has it, too. */
const whole = Symbol('whole reply');

/** A reply of the model beneath, in the form that a plugin gets. */
export function shownReply(reply: ModelReply): PipelineReply {
  const { text, toolCalls, usage, model, finish } = reply;
  return Object.freeze({ text, toolCalls: shownCalls(toolCalls), usage, model, finish, [whole]: reply });
}

/**
 * Checks the reply that a plugin returns.
 * @throws TypeError that says what is wrong with it.
 */
export function checkedReply(given: unknown): ModelReply {
  if (!hasMembers(given)) throw new TypeError('run must give a reply');
  const { text, toolCalls, usage, model, finish } = given;
  if (typeof text !== 'string') throw new TypeError('the text of a reply must be text');
  if (typeof model !== 'string' || model === '') throw new TypeError('a reply must name its model');
  const known = finishes.find((one) => one === finish);
  if (known === undefined) throw new TypeError(`finish must be one of ${finishes.join(', ')}`);
  const reply = { text, toolCalls: callsOf(toolCalls), usage: usageOf(usage), model, finish: known };
  return whole in given ? { ...reply, ...ofProvider(given[whole] as ModelReply, reply) } : reply; // only `shownReply` knows the symbol
}

/**
 * A changed reply still tells what the provider's own tools did. The items that wait for an approval stay only while a call still asks for
 * it.
 */
function ofProvider({ hosted, items }: ModelReply, { toolCalls }: Pick<ModelReply, 'toolCalls'>): Partial<ModelReply> {
  const stillAsks = toolCalls.some((call) => call.hosted !== undefined);
  return { ...(hosted === undefined ? {} : { hosted }), ...(items === undefined || !stillAsks ? {} : { items }) };
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
