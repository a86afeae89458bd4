import { atMost } from '../base/at-most.ts';
import type { DirectCalls } from '../direct/direct-calls.ts';
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

interface ForgetConversationsOptions {
  readonly sessions: () => readonly LiveSession[];
  readonly turns: RunningTurns;
  readonly memory: () => Memory | undefined;
  readonly direct: Pick<DirectCalls, 'forget'>;
}

/** Finds and forgets what this process still holds of conversations that were deleted (contract/sessions.md#kept-conversations). */
export class ForgetConversations {
  readonly #sessions: () => readonly LiveSession[];
  readonly #turns: RunningTurns;
  readonly #memory: () => Memory | undefined;
  readonly #direct: Pick<DirectCalls, 'forget'>;

  constructor({ sessions, turns, memory, direct }: ForgetConversationsOptions) {
    this.#sessions = sessions;
    this.#turns = turns;
    this.#memory = memory;
    this.#direct = direct;
  }

  /** Ids of the conversations of a user that are open here. */
  open(userKey: string): readonly string[] {
    const ofSessions = this.#sessions().filter(({ principal }) => principal.userKey === userKey);
    const ofTurns = this.#turns.running().filter(({ principal }) => principal.userKey === userKey);
    return [...new Set([...ofSessions, ...ofTurns].map(({ conversationId }) => conversationId))];
  }

  /**
   * Empties the conversations and stops their turns. With a whole user, what programs have asked of this user ends too. Resolves once all of
   * that has ended, and with false when some of it still runs after 10 s.
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
    const isWhole = meant.conversationId === undefined;
    const [areOver] = await Promise.all([
      isWhole ? this.#direct.forget(meant.userKey, longestWaitMs) : true,
      atMost(longestWaitMs, Promise.all(running.map(({ result }) => result))),
    ]);
    // The turns that have just been stopped must not be resumed either.
    this.#turns.forgetEnded(isMeant);
    // Words that the memory has not stored yet would be stored after everything of the user was erased.
    if (isWhole) await this.#memory()?.capture?.forget(meant.userKey);
    return areOver && running.every((turn) => !turn.running);
  }
}

function meaning({
  userKey,
  conversationId,
}: MeantConversations): (item: Pick<EndedTurn, 'principal' | 'conversationId'>) => boolean {
  return (item) =>
    item.principal.userKey === userKey && (conversationId === undefined || item.conversationId === conversationId);
}
