import { canComeBack, type Memory } from '../../memory/memory.ts';
import { type RecalledFact, recallFacts } from '../../memory/recall-facts.ts';
import { typedWords } from '../../prompt/user-message.ts';
import type { LiveTurn } from '../live/live-turn.ts';
import type { TurnServices } from '../live/turn-services.ts';

const key = 'prompt/memory';

const nothing: readonly RecalledFact[] = [];

/**
 * What is remembered about the user of a turn (contract/memory.md#prompt). Returned without a promise where nothing can be remembered. A
 * turn that continues from a record uses the recorded facts, and has none if the record has none.
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

/** The facts about the user that the model was told, as one text each. */
export function factTexts(record: Pick<LiveTurn['record'], 'get'>): readonly string[] {
  const recalled = record.get(key) as readonly RecalledFact[] | undefined; // recorded above
  return recalled?.map(({ text }) => text) ?? [];
}

/**
 * Keeps the words of the user, so that facts can be looked for in them later (contract/memory.md#capture). Resolves once the words are
 * durable; never rejects. Undefined where there is nothing to keep, so that the turn does not wait.
 */
export function keepWords(turn: LiveTurn, memory: Memory | undefined): Promise<void> | undefined {
  const { id: turnId, conversationId, principal, request, options } = turn;
  const words = typedWords(request).join('').trim();
  if (memory?.capture === undefined || words === '' || !isRemembered(turn)) return undefined;
  return memory.capture.keep({ turnId, conversationId, userKey: principal.userKey, words, askedAt: options.askedAt });
}

function isRemembered({ principal, request }: LiveTurn): boolean {
  return canComeBack(principal, request.channel);
}
