import { OneAtATime } from '../base/one-at-a-time.ts';
import type { OwnerFault } from '../errors/error-codes.ts';
import { HelperError } from '../errors/helper-error.ts';
import { type Principal, tenantOf } from '../identity/principal.ts';
import type { Metrics } from '../ports/metrics.ts';
import { type Feedback, isSameFeedback } from '../request/feedback.ts';
import { EndedTurn } from '../turn/live/ended-turn.ts';
import type { Turn } from '../turn/live/turn.ts';
import { LiveConversation } from './live-conversation.ts';
import type { Session } from './session.ts';
import type { UserConversations } from './user-conversations.ts';

/** What a user thinks of the reply of a turn. */
export interface GivenRating {
  readonly turnId: string;
  /** Undefined takes an earlier rating back. */
  readonly feedback: Feedback | undefined;
  /** The caller's own session that has the conversation. Left out, the turn is looked for by its id. */
  readonly session?: Session | undefined;
  /** The kept conversation of a turn that ended long ago. */
  readonly conversationId?: string | undefined;
}

/** A rating that has changed something. */
export interface RatingNews extends Pick<GivenRating, 'turnId' | 'feedback'> {
  /** Empty when the conversation is not known. */
  readonly conversationId: string;
  readonly user: Principal;
}

/** What ratings are kept and told with. */
export interface ReplyRatingsOptions {
  /** `findTurn` as the assistant has it. */
  readonly assistant: {
    findTurn(turnId: string, caller: Principal, onForeign?: (reason: OwnerFault) => void): Promise<Turn | undefined>;
  };
  /** Undefined unless conversations are kept. */
  readonly conversations: Pick<UserConversations, 'rate'> | undefined;
  readonly metrics: Pick<Metrics, 'of'>;
  /** Is told of each rating that has changed something. MUST NOT throw. */
  readonly onRating: (news: RatingNews) => void;
}

/** What users think of replies (contract/sessions.md#ratings). */
export class ReplyRatings {
  readonly #options: ReplyRatingsOptions;
  readonly #inTurn = new OneAtATime();

  constructor(options: ReplyRatingsOptions) {
    this.#options = options;
  }

  /**
   * Resolves once the rating is kept wherever its conversation is. The same rating again changes nothing, and nobody is told of it. Ratings of
   * one user are kept one after the other: each of them reads a whole conversation.
   * @throws HelperError `not_found` when the caller has no such turn, `turn_in_progress` while it runs, `storage_unavailable`.
   */
  give(given: GivenRating, caller: Principal, onForeign: (reason: OwnerFault) => void): Promise<void> {
    return this.#inTurn.do(caller.userKey, () => this.#give(given, caller, onForeign));
  }

  async #give(given: GivenRating, caller: Principal, onForeign: (reason: OwnerFault) => void): Promise<void> {
    const { turnId, feedback, session } = given;
    const mark = session?.transcript.find(({ turn }) => turn?.turnId === turnId)?.turn;
    const turn = mark === undefined ? await this.#options.assistant.findTurn(turnId, caller, onForeign) : undefined;
    // A turn of a session is in its transcript before it is stored, and what is stored would lack the rating.
    if (turn?.running === true || session?.activeTurn?.id === turnId) {
      throw new HelperError('turn_in_progress', 'The turn still runs. Rate its reply once it has ended.');
    }
    const conversationId =
      mark === undefined ? (turn?.conversationId ?? given.conversationId) : session?.conversationId;
    const kept = await this.#keep(conversationId, given, session?.principal ?? caller);
    const held = mark === undefined ? heldBy(turn, given) : session?.rate(turnId, feedback);
    if (kept === undefined && held === undefined) {
      throw new HelperError('not_found', 'You have no such turn, or it is long over.');
    }
    if (isSameFeedback((held ?? kept)?.before, feedback)) return;
    const user = session?.principal ?? caller;
    this.#options.metrics.of(tenantOf(user)).feedbackGiven(feedback?.rating ?? 'withdrawn');
    this.#options.onRating({ turnId, feedback, conversationId: conversationId ?? '', user });
  }

  /** Keeps the rating with the kept conversation. Undefined where none is kept, or it has no such turn. */
  async #keep(
    conversationId: string | undefined,
    { turnId, feedback }: GivenRating,
    { kind, userKey }: Principal,
  ): Promise<Before | undefined> {
    const { conversations } = this.#options;
    if (conversations === undefined || kind !== 'signed-in' || conversationId === undefined) return undefined;
    return conversations.rate(userKey, conversationId, { turnId, feedback });
  }
}

interface Before {
  readonly before: Feedback | undefined;
}

/** Keeps the rating with what this process holds of an ended turn: the turn itself, and its conversation if a session has it. */
function heldBy(turn: Turn | undefined, { turnId, feedback }: GivenRating): Before | undefined {
  if (!(turn instanceof EndedTurn)) return undefined;
  const { feedback: before } = turn;
  turn.feedback = feedback;
  if (turn.owner instanceof LiveConversation) turn.owner.transcript.rate(turnId, feedback);
  return { before };
}
