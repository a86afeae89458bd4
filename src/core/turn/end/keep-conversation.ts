import { atMost } from '../../base/at-most.ts';
import type { KeptConversations, SaidInConversation } from '../../conversations/kept-conversations.ts';
import { TurnError } from '../../errors/turn-error.ts';
import type { Clock } from '../../ports/clock.ts';
import { StepRefused } from '../../ports/step-refused.ts';
import { untilHeld } from '../../record/until-held.ts';
import { untilRetry } from '../../base/until-retry.ts';
import type { KeptMessage } from '../../request/kept-message.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { type End, wordsStand } from './end-of-turn.ts';
import type { LiveTurn } from '../live/live-turn.ts';
import { historyBefore } from '../conversation/reduced-history.ts';
import { newSummary } from '../conversation/summed-history.ts';
import type { TurnServices } from '../live/turn-services.ts';

/** The most milliseconds that the end of a turn waits for a failing store to take what was said. */
const longestWaitMs = 5_000;

/** The conversations that keep this turn; undefined where nothing keeps it (contract/sessions.md#kept-conversations). */
export function keeperOf(
  { principal, request }: Pick<LiveTurn, 'principal' | 'request'>,
  { conversations }: TurnServices,
): KeptConversations | undefined {
  return principal.kind === 'signed-in' && request.channel.keepsConversations ? conversations : undefined;
}

/**
 * Stores what a turn has said, before its end is told. A turn whose words cannot be stored fails as `overloaded`. The next turn of the
 * conversation then stores these words first. Nothing of a deleted conversation is stored.
 */
export async function keepConversation(
  turn: LiveTurn,
  conversation: Conversation,
  {
    end,
    said,
    services,
  }: { readonly end: End; readonly said: readonly KeptMessage[]; readonly services: TurnServices },
): Promise<End> {
  const keeper = keeperOf(turn, services);
  if (keeper === undefined || said.length === 0) return end;
  conversation.unstored.push({
    conversationId: conversation.id,
    owner: turn.principal.userKey,
    turnId: turn.id,
    before: conversation.isStored ? [] : turn.options.history,
    messages: said,
    summed: summedBefore(turn),
    replaces: [turn.options.copyOf, turn.request.replaces].filter((id) => id !== undefined),
  });
  // The end of a kept turn needs the same store, so such a turn waits here without a time limit.
  if (turn.tape.isKept) await untilHeld(() => storeUnstored(conversation, keeper));
  else await atMost(longestWaitMs, untilStored(conversation, { keeper, clock: services.calls.clock }));
  if (conversation.unstored.length === 0 || !wordsStand(end)) return end;
  services.calls.log.warn({ turnId: turn.id, conversationId: conversation.id }, 'what was said could not be stored');
  return { ...end, status: 'failed', error: { code: 'overloaded', retryable: true } };
}

/** The summary that this turn has made of earlier messages; undefined where it has made none. */
function summedBefore(turn: LiveTurn): SaidInConversation['summed'] {
  const made = newSummary(turn);
  return made && { back: historyBefore(turn).length - made.index, summary: made.summary };
}

/** Asks a small model for a title if this turn is the first of its conversation and has completed. Nothing waits for the title. */
export function suggestTitle(
  turn: LiveTurn,
  {
    end,
    said,
    services,
  }: { readonly end: End; readonly said: readonly KeptMessage[]; readonly services: TurnServices },
): void {
  const isFirst = turn.options.history.length === 0 && said.length > 0 && end.status === 'completed';
  if (!isFirst || keeperOf(turn, services) === undefined) return;
  void services.titles?.suggest(turn.principal.userKey, turn.spender, said);
}

/**
 * Stores what earlier turns of the conversation could not store.
 * @throws TurnError `overloaded` while the store does not take it.
 */
export async function storeEarlier(turn: LiveTurn, conversation: Conversation, services: TurnServices): Promise<void> {
  const keeper = keeperOf(turn, services);
  if (keeper === undefined) return;
  try {
    await storeUnstored(conversation, keeper);
  } catch (cause) {
    const reason = 'the words of an earlier turn cannot be stored';
    throw new TurnError('refused', 'overloaded', reason, { cause, retryable: true });
  }
}

/**
 * Stores the turns one after the other, in their order. Also resolves when the conversation was deleted, because nothing is then left to
 * store.
 */
async function storeUnstored(conversation: Conversation, keeper: KeptConversations): Promise<void> {
  for (let next = conversation.unstored[0]; next !== undefined; next = conversation.unstored[0]) {
    try {
      await keeper.add(next);
      conversation.isStored = true;
    } catch (error) {
      if (!(error instanceof StepRefused)) throw error;
      conversation.forget();
      return;
    }
    conversation.unstored.shift();
  }
}

async function untilStored(
  conversation: Conversation,
  { keeper, clock }: { readonly keeper: KeptConversations; readonly clock: Clock },
): Promise<void> {
  const endsAt = clock.elapsed() + longestWaitMs;
  for (let attempts = 0; clock.elapsed() < endsAt; attempts += 1) {
    const isStored = await storeUnstored(conversation, keeper).then(
      () => true,
      () => false,
    );
    if (isStored) return;
    await untilRetry(attempts);
  }
}
