import type { ChatMessage } from '../ports/chat-model.ts';
import type { CardHosts } from '../cards/check-card.ts';
import type { Clock } from '../ports/clock.ts';
import type { ConfirmationJournal } from '../ports/confirmation-journal.ts';
import type { RefusalLines } from '../limits/refusal-lines.ts';
import type { Logger } from '../ports/logger.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { SharedNames } from '../ports/replica-bus.ts';
import type { Spender } from '../ports/spender.ts';
import type { AutoApproval } from '../confirmations/auto-approval.ts';
import type { OpenConfirmations } from '../confirmations/open-confirmations.ts';
import type { RecentSecurity } from '../identity/recent-security.ts';
import type { ServerTexts } from '../language/server-texts.ts';
import type { StepRecord } from '../record/step-record.ts';
import type { Tape } from '../record/tape.ts';
import type { TurnEvents } from '../record/turn-events.ts';
import type { KeptMessage } from '../request/kept-message.ts';
import type { TurnRequest } from '../request/turn-request.ts';
import type { ExceptionTexts } from '../tools/exception-rules.ts';
import type { ToolOutcome } from '../tools/tool-outcome.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import type { ToolPolicy } from '../tools/tool-policy.ts';

/** What calls need from the server. All turns share it. */
export interface CallServices {
  readonly journal: ConfirmationJournal;
  readonly openConfirmations: OpenConfirmations;
  readonly metrics: Metrics;
  readonly log: Logger;
  /** Keeps the lines of the security log for the dashboard. Left out, nobody sees them there. */
  readonly recentSecurity?: Pick<RecentSecurity, 'add'> | undefined;
  /** Which refused turns and calls get a line of the log. */
  readonly refusalLines: RefusalLines;
  readonly clock: Clock;
  /** The id of this replica, which begins the ids of turns and questions. Left out where there is only this server. */
  readonly replica?: string | undefined;
  /** How replicas know which of them has the question about a call without a turn. Left out where there is only this server. */
  readonly questionNames?: SharedNames | undefined;
  /** Milliseconds; 0 lets a question wait as long as its turn lives (contract/confirmations.md). */
  readonly confirmationTimeoutMs: number;
  /** How many times a turn may make the same call (contract/limits.md#repeated-calls); 0: any number of times. */
  readonly loopGuard: number;
  readonly policy: ToolPolicy;
  /** Undefined with `hitlMode: Blocking`, where every question is put to the user (contract/confirmations.md#blocking-and-native). */
  readonly autoApproval: AutoApproval | undefined;
  readonly texts: ServerTexts;
  readonly enableActionFeedback: boolean;
  /** Whether replies are looked at once they were shown, and may be replaced. A thought could not be, so none is shown. */
  readonly replacesReplies?: boolean | undefined;
  readonly enableGenerativeCards: boolean;
  readonly cardHosts: CardHosts;
  /** `onToolResult` of all sources in order; throws what they throw. */
  /** Whether no rule approves a call that untrusted text may be behind (contract/provenance.md). */
  readonly enforcesProvenance: boolean;
  readonly transformResult: (toolName: string, result: unknown) => Promise<unknown>;
  /** `onException` (contract/errors.md#faults-of-actions). */
  readonly exceptionTexts: (error: Error, toolName: string) => Promise<ExceptionTexts>;
}

/** What a call needs from its turn. */
export interface TurnScope {
  readonly id: string;
  readonly conversationId: string;
  readonly request: TurnRequest;
  /** Whom the calls of models are charged to. The same object to the end of the turn. */
  readonly spender: Spender;
  /** `history`: the conversation before the turn, whether the model is sent it or not. */
  readonly options: { readonly history: readonly Pick<KeptMessage, 'message'>[] };
  readonly record: StepRecord;
  readonly tape: Tape;
  readonly events: TurnEvents;
  /** Aborted by a Stop, once the store has the Stop. */
  readonly signal: AbortSignal;
  /** A restored snapshot began this turn. Calls that ran without a question in the saved turn must not run again. */
  readonly isCopy: boolean;
  /**
   * False from the moment a Stop was asked for. False too for a turn that is taken up only to be concluded. While it is
   * false, nothing new begins.
   */
  readonly mayBegin: boolean;
  /** Who ended the turn, and so also the questions that end with it. */
  readonly stoppedBy: 'user' | 'system';
  /** Tools that the user does not want to be asked about again in this conversation. */
  readonly remembered: Set<string>;
  /**
   * Keeps the turn from now on: the journal is about to get a row that belongs to the turn.
   * @throws Error when the store has not taken the turn before.
   */
  keep(): void;
  /** The row is withdrawn. A turn that was kept for such rows alone, and of which the store has told nothing, is not kept any more. */
  unkeep(): void;
  /** A question is being stored until this promise settles. A process that ends waits for it. The promise MAY reject. */
  putting(work: Promise<unknown>): void;
  /** The end of the turn is not told before this promise has settled. The promise MUST NOT reject. */
  settling(work: Promise<unknown>): void;
  /** Reports how far a call of this run has come. The end of the process and the restoring of a snapshot wait for the call. */
  callIs(callId: string, state: 'entered' | 'waiting' | 'running' | 'ended'): void;
}

/** The agent that calls. */
export interface CallingAgent {
  readonly name: string;
  readonly toolbox: Toolbox;
  /** Whether a rule, or "do not ask again", may approve its calls (contract/confirmations.md#rules-in-place-of-the-user). */
  readonly mayApproveByRule: boolean;
  /**
   * Resolves to whether the questions of the agent go to the user in spite of rules. It never rejects. When it is left out, rules may
   * approve.
   */
  readonly mustAsk?: Promise<boolean> | undefined;
}

/** A call that hands over to other agents. */
export interface HandOverCall {
  readonly callId: string;
  readonly name: string;
  /** The key of the outcome of the call. All keys of the agents begin with it. */
  readonly at: string;
  readonly argumentsValue: Readonly<Record<string, unknown>>;
}

/** Where in a turn a call is made, by whom, and with what. */
export interface CallScope {
  readonly turn: TurnScope;
  readonly agent: CallingAgent;
  readonly services: CallServices;
  /** The beginning of all keys of this round. */
  readonly path: string;
  /** What the agent had read when it asked for the call. */
  readonly read: readonly ChatMessage[];
  /** Runs the agents whom a call hands over to. Left out: the agent hands over to nobody. */
  readonly handOver?: ((call: HandOverCall) => Promise<ToolOutcome>) | undefined;
}
