import type { ShownFeedback } from '../../wire/feedback-body.ts';
import type { ComposedImage, SentImage } from '../images/composed-image.ts';
import type {
  ConfirmationRequestedFields,
  RagSource,
  Receipt,
  RemainingBudget,
  McpServerState,
  RemoteAgentState,
  TurnHubEvents,
} from '../../wire/hub-events.ts';

/** `signed-out`: the server knows no user by the token of the page. */
export type ConnectionStatus = 'idle' | 'connecting' | 'connected' | 'reconnecting' | 'lost' | 'signed-out';
export type ActionStatus = TurnHubEvents['ActionCompleted']['status'];
/** `gone`: the server had nothing left to answer (contract/confirmations.md#answering, 404). */
export type ConfirmationOutcome = TurnHubEvents['ConfirmationResolved']['outcome'] | 'gone';

/** What an approval may carry (contract/confirmations.md). */
export interface ApprovalOptions {
  readonly remember?: boolean;
  /** All arguments, if the user changed any. */
  readonly arguments?: Readonly<Record<string, unknown>>;
}

/** Why an answer did not count. `refused` carries the server's own words. */
export type AnswerFailure =
  { readonly type: 'unsent' | 'signed-out' } | { readonly type: 'refused'; readonly detail: string };

/** A message of the user. It is kept with its turn, so that it can be sent again or returned to the composer. */
export interface UserMessage {
  readonly text: string;
  readonly images?: readonly ComposedImage[];
  readonly cardSubmit?: { readonly cardId: string; readonly data: unknown };
  /** The last turn. This message takes the place of its exchange, if the server lets it. */
  readonly replaces?: string | undefined;
}

/** An action that runs or has run, and how it ended. */
export interface ActionRun {
  readonly status: 'running' | ActionStatus;
  /** The latest progress that the action has reported. */
  readonly progress: string;
  /** Why the action failed, in the server's own words. Empty where the status or the reply says enough. */
  readonly reason: string;
}

/** One line of the transcript. The lines are in the order of the turn's events. */
export type Entry =
  | {
      readonly kind: 'user';
      readonly id: number;
      readonly at: number;
      readonly text: string;
      readonly images?: readonly SentImage[];
      /** The turn of the message, once it has ended. */
      readonly turnId?: string | undefined;
      /** The message cannot be sent again: its turn has changed something, or it was more than text, or may have been. */
      readonly isFinal?: boolean;
      /** What the user thinks of the reply. */
      readonly feedback?: ShownFeedback | undefined;
    }
  | {
      readonly kind: 'reply';
      readonly id: number;
      /** When the entry began, in epoch milliseconds. For the user's message: when it was sent. */
      readonly at: number;
      readonly text: string;
      /** Who says this part of the reply, where that is to be shown. */
      readonly speaker?: string;
      readonly isComplete: boolean;
      readonly ending: 'none' | 'stopped' | 'interrupted';
      /** The documents that the reply is based on. */
      readonly cited?: readonly RagSource[];
    }
  | ({
      readonly kind: 'action';
      readonly id: number;
      readonly callId: string;
      readonly title: string;
      /** The title in further languages. */
      readonly titles?: Readonly<Record<string, string>> | undefined;
    } & ActionRun)
  | {
      readonly kind: 'confirmation';
      readonly id: number;
      readonly request: ConfirmationRequestedFields;
      /** `approved` or `declined` while that answer is on its way. */
      readonly answering: 'approved' | 'declined' | null;
      readonly failure: AnswerFailure | null;
      /** The arguments as the user changed them. Null when the action runs with the arguments of the question. */
      readonly edited: Readonly<Record<string, unknown>> | null;
      readonly outcome: ConfirmationOutcome | null;
      /** Who decided. `me` is the user who answered in this very box. */
      readonly by: 'me' | TurnHubEvents['ConfirmationResolved']['by'];
      /** The run of the call in question, once it runs. The call gets no line of its own. */
      readonly run: ActionRun | null;
    }
  /** The documents that a reply goes by. */
  | { readonly kind: 'sources'; readonly id: number; readonly sources: readonly RagSource[] }
  /** What the model has thought before what stands below it. */
  | { readonly kind: 'thought'; readonly id: number; readonly text: string }
  /** What became of actions of the turn that have no line of their own. */
  | { readonly kind: 'receipts'; readonly id: number; readonly receipts: readonly Receipt[] }
  | { readonly kind: 'card'; readonly id: number; readonly cardId: string; readonly card: unknown }
  | {
      readonly kind: 'navigation';
      readonly id: number;
      readonly title: string;
      readonly url: string;
      readonly isHandled: boolean;
    }
  | { readonly kind: 'notice'; readonly id: number; readonly notice: Notice; readonly retry: UserMessage | null };

/** A question before an action runs, and its outcome. */
export type ConfirmationEntry = Extract<Entry, { kind: 'confirmation' }>;

/** A question that has no outcome yet. */
export function isOpenQuestion(entry: Entry): entry is ConfirmationEntry {
  return entry.kind === 'confirmation' && entry.outcome === null;
}

/** What the widget says outside a reply. A notice with a `message` carries the server's own words, in the user's language. */
export type Notice =
  | {
      /** `refusal`: the server has refused the message on purpose, for example because of a limit. No part of the server has failed. */
      readonly type: 'server' | 'action' | 'refusal';
      readonly message: string;
      readonly budget?: RemainingBudget | undefined;
      /** When the message may be sent again, in epoch milliseconds. */
      readonly retryAt?: number | undefined;
    }
  | { readonly type: OwnNotice };

/** Notices for which the widget has its own texts. */
export type OwnNotice =
  'interrupted' | 'unreachable' | 'signed-out' | 'forbidden' | 'failed' | 'forgotten' | 'stopped' | 'stop-failed';

/** An agent that has begun to work on the message and has not ended. */
type AgentAtWork = Pick<TurnHubEvents['AgentActivity'], 'agent' | 'kind' | 'round'>;

export interface RunningTurn {
  /** Null until the server has named the turn. */
  readonly turnId: string | null;
  readonly lastSeq: number;
  /** The message was handed to a connection. Before that it waits for one. */
  readonly isSent: boolean;
  readonly isStopping: boolean;
  /** The turn was running when the page before ended. If the turn was stopped since, the user of that page did not stop it. */
  readonly isRunning?: boolean;
  /** The agents other than the coordinator that work now, in the order in which they began. */
  readonly working?: readonly AgentAtWork[];
  /** Whether the user was told before its place that nobody could be asked about an action. */
  readonly isToldEarly?: boolean;
  /** False once an agent has begun or ended after the last text, so that no more of that text is to be expected. */
  readonly isSpeaking?: boolean;
  readonly message: UserMessage;
  /** The exchange that the message takes the place of. */
  readonly replaced?: readonly Entry[];
}

/** What the header tells of what stands behind the assistant. A member is undefined where there is nothing to tell. */
export interface ServiceStatus {
  /** The tools of the model's provider, by their names in the configuration. */
  readonly tools?: readonly string[];
  /** How the agents on other servers are doing. */
  readonly agents?: readonly RemoteAgentState[];
  /** How the MCP servers are doing. */
  readonly servers?: readonly McpServerState[];
}

export interface ConversationState {
  /** Which documents a reply goes by is not shown. Left out, it is. */
  readonly hidesSources?: true | undefined;
  readonly entries: readonly Entry[];
  readonly turn: RunningTurn | null;
  readonly connection: ConnectionStatus;
  readonly conversationId: string | null;
  /** UTF-16 code units. 0 means no limit. The value is 0 until the server has told its limit. */
  readonly maxMessageLength: number;
  readonly isDemo: boolean;
  /** What the user may still spend, as the server last told it. */
  readonly budget?: RemainingBudget | undefined;
  readonly status: ServiceStatus;
  /** The conversation is out of sight and can still be brought back. Its running turn continues meanwhile. */
  readonly isAside: boolean;
  readonly nextId: number;
}

/** A conversation before its first message. */
export function emptyConversation(isDemo: boolean): ConversationState {
  return {
    entries: [],
    turn: null,
    connection: 'idle',
    conversationId: null,
    maxMessageLength: 0,
    isDemo,
    status: {},
    isAside: false,
    nextId: 1,
  };
}

/** Whether the message of the turn waits for a connection while none is open. */
export function waitsForConnection({ turn, connection }: ConversationState): boolean {
  return turn?.isSent === false && connection !== 'connected';
}

/** An entry without its id, which `append` gives. An entry from an earlier page already has a time. */
export type NewEntry = Entry extends infer E
  ? E extends Entry
    ? Omit<E, 'id' | 'at'> & { readonly at?: number }
    : never
  : never;

/** The state with one more entry at the end. */
export function append(state: ConversationState, entry: NewEntry): ConversationState {
  const added = { at: Date.now(), ...entry, id: state.nextId } as Entry; // every NewEntry is an Entry without its time and id
  return { ...state, entries: [...state.entries, added], nextId: state.nextId + 1 };
}

/** The state after `change` was applied to every entry of one kind. An unchanged entry keeps its identity. */
export function mapEntries<K extends Entry['kind']>(
  state: ConversationState,
  kind: K,
  change: (entry: Extract<Entry, { kind: K }>) => Entry,
): ConversationState {
  const entries = state.entries.map(
    (entry) => (entry.kind === kind ? change(entry as Extract<Entry, { kind: K }>) : entry), // the comparison of the kinds says so
  );
  return { ...state, entries };
}

/** The state after somebody went to that page. */
export function navigationHandled(state: ConversationState, url: string): ConversationState {
  return mapEntries(state, 'navigation', (entry) => (entry.url === url ? { ...entry, isHandled: true } : entry));
}

/** The state after the running turn could not be stopped. */
export function stopFailed(state: ConversationState): ConversationState {
  const { turn } = state;
  if (turn === null) return state;
  const running = { ...state, turn: { ...turn, isStopping: false } };
  return append(running, { kind: 'notice', notice: { type: 'stop-failed' }, retry: null });
}
