import type { ForeignAgent } from '../../agents/agent.ts';
import type { Staff } from '../../agents/staff.ts';
import type { HostedUse } from '../../agents/hosted/hosted-use.ts';
import type { Spending } from '../../budgets/spending.ts';
import type { CallServices, TurnScope } from '../../calls/call-scope.ts';
import type { Classifier } from '../../classifier/classifier.ts';
import type { FollowUps } from '../../conversations/follow-ups.ts';
import type { KeptConversations } from '../../conversations/kept-conversations.ts';
import type { TitleSuggestions } from '../../conversations/suggest-title.ts';
import type { Honesty } from '../../guardrails/honest-questions.ts';
import type { Scope } from '../../guardrails/scope-check.ts';
import type { CheckedDirection, Guard } from '../../guardrails/text-check.ts';
import type { HistoryServices } from '../../history/history-services.ts';
import type { Knowledge } from '../../knowledge/knowledge.ts';
import type { Language } from '../../language/language.ts';
import type { FileSettings, ImageSettings } from '../../limits/take-attachments.ts';
import type { RefusalLog } from '../../limits/refusal-log.ts';
import type { MessageRate } from '../../limits/message-rate.ts';
import type { Memory } from '../../memory/memory.ts';
import type { ChatModel } from '../../ports/chat-model.ts';
import type { Clock } from '../../ports/clock.ts';
import type { MessageFileReader } from '../../ports/message-file.ts';
import type { Tracing } from '../../ports/turn-trace.ts';
import type { TapeServices } from '../../record/tape-services.ts';
import type { Routing } from '../../routing/routing.ts';
import type { Skills } from '../../skills/live-skills.ts';
import type { ToolFilter } from '../../tool-filter/tool-filter.ts';
import type { Toolbox } from '../../tools/toolbox.ts';

/** The turn for which tools are woken. */
export type WakingTurn = Pick<TurnScope, 'request' | 'conversationId'>;

/** How the files of messages are read. */
export interface FileInput {
  readonly settings: FileSettings & {
    /** Characters of text that all files of one message may bring into the prompt. */
    readonly maxFileCharacters: number;
  };
  readonly reader: MessageFileReader;
}

/** What every turn needs of the server (docs/architecture.md). */
export interface TurnServices {
  /** The same services for a turn in another language. Left out where the configuration names the language. */
  readonly inLanguage?: (language: Language) => TurnServices;
  /** Identifies the configuration in the log line of each turn (contract/operations.md#reload). */
  readonly configuration: string;
  readonly model: ChatModel;
  /** Set where `model` is an agent of somebody else. */
  readonly foreign?: ForeignAgent | undefined;
  /** Which messages a stronger model answers; left out, none. */
  readonly routing?: Routing | undefined;
  /** Answers small questions for the server. Left out, no such question is asked. */
  readonly classifier?: Classifier | undefined;
  /** The agents beside the coordinator; left out, there are none. */
  readonly agents?: Pick<Staff, 'roster' | 'rules' | 'showsFaults'> | undefined;
  /** The coordinator's instructions, built once. */
  readonly instructions: string;
  /** Asked once in each turn, because a turn keeps the tools that it began with. */
  readonly toolbox: () => Toolbox;
  /**
   * Asked once in each turn, before its toolbox: resolves when the tools for its caller are there, or are not to be waited for. Undefined:
   * there is nothing to wait for. It MUST NOT reject. Left out, there never is.
   */
  readonly wakeTools?: ((turn: WakingTurn) => Promise<void> | undefined) | undefined;
  /** Chooses the tools that go along with a message; left out, all do. */
  readonly toolFilter?: ToolFilter | undefined;
  readonly calls: CallServices;
  /** The time of a message that is said now, later than all erasures before. Left out, it is that of the clock of `calls`. */
  readonly times?: Pick<Clock, 'now'> | undefined;
  /** Asked once in each turn: the tools that the provider of the model runs itself. Left out, or undefined: none. */
  readonly hosted?: (() => HostedUse | undefined) | undefined;
  /** Whether clients are told which pages and files of such tools a reply refers to. Left out, they are not. */
  readonly showHostedSources?: boolean | undefined;
  /** Where documents are looked for; left out, nowhere. */
  readonly knowledge?: Knowledge | undefined;
  /** What is remembered about users; left out, nothing. */
  readonly memory?: Memory | undefined;
  /** Where instructions for particular tasks come from; left out, from nowhere. */
  readonly skills?: Skills | undefined;
  /**
   * Asked before each call of a model for what charges the call to budgets. Undefined: there are no budgets now. Left out: there never are
   * any.
   */
  readonly spending?: (() => Spending | undefined) | undefined;
  /** How much of a conversation is sent; left out, all that is kept of it. */
  readonly history?: HistoryServices | undefined;
  /** What checks messages and replies now. Undefined: nothing checks them now. Left out: nothing ever does. */
  readonly guards?: Readonly<Record<CheckedDirection, () => Guard | undefined>> | undefined;
  /** What messages must have to do with; left out, anything is answered. */
  readonly scope?: Scope | undefined;
  /** What asks whether replies are true; left out, nothing does. */
  readonly honesty?: Honesty | undefined;
  readonly tape: TapeServices;
  /** Where conversations of signed-in users are kept; left out, nowhere (contract/sessions.md#kept-conversations). */
  readonly conversations?: KeptConversations | undefined;
  /** What gives new conversations their titles; left out, their first words are their titles. */
  readonly titles?: TitleSuggestions | undefined;
  /** What suggests what users could say after an answer; left out, nothing does. */
  readonly followUps?: FollowUps | undefined;
  /** Follows turns; left out, nobody does (contract/operations.md#traces). */
  readonly tracing?: Tracing | undefined;
  readonly maxMessageLength: number;
  /** What images a message may have (contract/images.md). */
  readonly images: ImageSettings;
  /** Which files a message may have, and who reads them (contract/files.md). Left out, no files are read. */
  readonly files?: FileInput | undefined;
  readonly messageRate: MessageRate;
  /** Counts calls of actions that come without a turn. */
  readonly directRate: MessageRate;
  /** Gets the turns that a limit of their caller refuses. Left out, such turns are not reported. */
  readonly refusals?: RefusalLog | undefined;
  readonly maxToolRounds: number;
  readonly maxSessionMessages: number;
  /** With `hitlMode: Native` an open question outlives its process (contract/restarts.md#open-questions). */
  readonly hitlMode: 'Blocking' | 'Native';
}
