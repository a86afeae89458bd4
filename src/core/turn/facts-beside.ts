import { canComeBack, type Memory } from '../memory/memory.ts';
import { type RecalledFact, recallFacts } from '../memory/recall-facts.ts';
import type { LiveTurn } from './live-turn.ts';
import type { TurnServices } from './turn-services.ts';

const key = 'prompt/memory';

const nothing: readonly RecalledFact[] = [];

/**
 * What is remembered about the user of a turn (contract/memory.md#prompt). At once where nothing is. A turn that goes on has the facts
 * that it began with, and none where its record has none.
 */
export function factsBeside(
  turn: LiveTurn,
  { memory, calls }: TurnServices,
): readonly RecalledFact[] | Promise<readonly RecalledFact[]> {
  const { record } = turn;
  if (!record.has(key) && (memory === undefined || record.isReplay || !isRemembered(turn))) return nothing;
  const recall = async (): Promise<readonly RecalledFact[]> => {
    if (memory === undefined) return nothing;
    turn.requireRunning();
    const { message } = turn.request;
    return recallFacts(
      { userKey: turn.principal.userKey, words: message.text, signal: turn.signal },
      memory,
      calls.log,
    );
  };
  return record.step(key, recall, { kind: 'prompt', part: 'memory' });
}

/**
 * Keeps what the user has said, for facts to be looked for in it (contract/memory.md#capture). Resolves once it is durable; never
 * rejects. Undefined where there is nothing to keep: the turn must not wait for that.
 */
export function keepWords(turn: LiveTurn, memory: Memory | undefined): Promise<void> | undefined {
  const { id: turnId, conversationId, principal, request, options } = turn;
  const words = request.message.text.trim();
  if (memory?.capture === undefined || words === '' || !isRemembered(turn)) return undefined;
  return memory.capture.keep({ turnId, conversationId, userKey: principal.userKey, words, askedAt: options.askedAt });
}

function isRemembered({ principal, request }: LiveTurn): boolean {
  return canComeBack(principal, request.channel);
}
