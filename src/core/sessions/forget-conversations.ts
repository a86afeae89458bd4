import { atMost } from '../base/at-most.ts';
import type { Memory } from '../memory/memory.ts';
import type { EndedTurn } from '../turn/live/ended-turn.ts';
import type { RunningTurns } from '../turn/running-turns.ts';
import { stopQuietly } from '../turn/live/turn.ts';
import { LiveConversation } from './live-conversation.ts';
import type { LiveSession } from './live-session.ts';

/** Milliseconds that stopped turns may take to end. */
const longestWaitMs = 10_000;

/** Which conversations are meant: all of a user's, or one of them. */
export interface MeantConversations {
  readonly userKey: string;
  readonly conversationId?: string | undefined;
}

/** Finds and forgets what this process still holds of conversations that were deleted (contract/sessions.md#kept-conversations). */
export class ForgetConversations {
  readonly #sessions: () => readonly LiveSession[];
  readonly #turns: RunningTurns;
  readonly #memory: () => Memory | undefined;

  constructor(sessions: () => readonly LiveSession[], turns: RunningTurns, memory: () => Memory | undefined) {
    this.#sessions = sessions;
    this.#turns = turns;
    this.#memory = memory;
  }

  /** Ids of the conversations of a user that are open here. */
  open(userKey: string): readonly string[] {
    const ofSessions = this.#sessions().filter(({ principal }) => principal.userKey === userKey);
    const ofTurns = this.#turns.running().filter(({ principal }) => principal.userKey === userKey);
    return [...new Set([...ofSessions, ...ofTurns].map(({ conversationId }) => conversationId))];
  }

  /**
   * Empties the conversations and stops their turns. Resolves once these turns have ended. Resolves with false when one of them still runs
   * after 10 s.
   */
  async forget(meant: MeantConversations): Promise<boolean> {
    const isMeant = meaning(meant);
    const running = this.#turns.running().filter(isMeant);
    for (const turn of running) {
      if (turn.owner instanceof LiveConversation) turn.owner.transcript.forget();
      stopQuietly(turn, 'user');
    }
    for (const session of this.#sessions().filter(isMeant)) session.forgetConversation();
    this.#turns.forgetEnded(isMeant);
    await atMost(longestWaitMs, Promise.all(running.map(({ result }) => result)));
    // The turns that have just been stopped must not be resumed either.
    this.#turns.forgetEnded(isMeant);
    // Words that the memory has not stored yet would be stored after everything of the user was erased.
    if (meant.conversationId === undefined) await this.#memory()?.capture?.forget(meant.userKey);
    return running.every((turn) => !turn.running);
  }
}

function meaning({
  userKey,
  conversationId,
}: MeantConversations): (item: Pick<EndedTurn, 'principal' | 'conversationId'>) => boolean {
  return (item) =>
    item.principal.userKey === userKey && (conversationId === undefined || item.conversationId === conversationId);
}
