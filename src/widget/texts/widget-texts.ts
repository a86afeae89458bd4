import type {
  ActionStatus,
  ConfirmationOutcome,
  ConnectionStatus,
  OwnNotice,
} from '../conversation/conversation-state.ts';
import type { ConfirmationRequestedFields, Influence } from '../../wire/hub-events.ts';

type AskedReason = ConfirmationRequestedFields['reason'];
type OtherOrigin = Exclude<Influence['origin'], 'user' | 'operator'>;
type TroubledConnection = Exclude<ConnectionStatus, 'idle' | 'connected'>;

/**
 * Everything the widget says, in one language. A missing text is a compile error. `fill` replaces `{name}`. `fillCounted` replaces
 * `{name|word|words}` with the word that fits the number.
 */
export interface WidgetTexts {
  /** BCP 47 tag: the panel's `lang`, which also decides how words and sentences are counted. */
  readonly locale: string;
  /** BCP 47 tag with the user's own region, which decides how times and days are written. */
  readonly timeLocale: string;
  readonly tourOffer: string;
  readonly tourStart: string;
  readonly tourDecline: string;
  readonly tourNext: string;
  readonly tourBack: string;
  readonly tourEnd: string;
  readonly tourDone: string;
  readonly tourStep: string;
  readonly voiceSpeak: string;
  readonly voiceListening: string;
  readonly voiceStop: string;
  readonly voiceDenied: string;
  readonly voiceNoSpeech: string;
  readonly voiceNoMicrophone: string;
  readonly voiceFailed: string;
  readonly readAloud: string;
  readonly openChat: string;
  readonly closeChat: string;
  readonly openChatNews: string;
  readonly openChatQuestions: string;
  readonly panelLabel: string;
  /** Names the menu of the header. */
  readonly more: string;
  readonly newConversation: string;
  readonly cleared: string;
  readonly undo: string;
  readonly undoHint: string;
  readonly demo: string;
  readonly demoHint: string;
  readonly welcomeTitle: string;
  readonly welcomeText: string;
  readonly aiName: string;
  readonly aiNotice: string;
  readonly composerLabel: string;
  readonly composerPlaceholder: string;
  readonly send: string;
  readonly stop: string;
  readonly tooLong: string;
  readonly attachImages: string;
  readonly images: string;
  /** `{name}` is the name of the file. */
  readonly removeImage: string;
  readonly tooManyImages: string;
  /** `{name}` is the name of the file, and `{max}` is in MB. */
  readonly imageTooLarge: string;
  readonly notAnImage: string;
  readonly attachFiles: string;
  readonly files: string;
  readonly tooManyFiles: string;
  readonly notAFile: string;
  readonly transcript: string;
  readonly youSaid: string;
  readonly botSaid: string;
  readonly thinking: string;
  /** `{agents}` are the names of `{count}` agents. */
  readonly working: string;
  readonly longReply: string;
  readonly retry: string;
  readonly notShown: string;
  readonly jumpToLatest: string;
  readonly jumpToQuestion: string;
  readonly copy: string;
  readonly copied: string;
  readonly copyFailed: string;
  readonly table: string;
  readonly code: string;
  readonly suggestions: string;
  /** `{page}` is the page's name. A user sends this text to be taken there. */
  readonly goToPage: string;
  /** The line of an action, by the action's state. */
  readonly action: Readonly<Record<'running' | ActionStatus, string>>;
  readonly confirmTitle: string;
  /** The place of a question among those that are open. */
  readonly questionOf: string;
  readonly nextQuestion: string;
  readonly previousQuestion: string;
  readonly confirmNeeded: string;
  /** Names the agent that wants to run the action, if it is not the coordinator. */
  readonly askedBy: string;
  /** Says that the action cannot be undone. */
  readonly irreversible: string;
  /** Says that the same was done, tried or asked for before. `{time}` is a moment. */
  readonly repeats: Readonly<Record<'done' | 'tried' | 'open', string>>;
  /** Why a question is put. The other reasons need no words. */
  readonly reasons: Readonly<Record<'influenced' | 'mcp' | 'hosted', string>> & {
    readonly [reason in AskedReason]?: string;
  };
  /** Unfolds the sources of the texts that the assistant has read. */
  readonly basedOn: string;
  /** Says which values come from where. `{values}` are labels, each with `origins` or `unknownSource` in brackets. */
  readonly foreignValues: string;
  readonly unknownSource: string;
  /** Where a text came from that the assistant has read. */
  readonly origins: Readonly<Record<OtherOrigin, string>> & { readonly [origin in Influence['origin']]?: string };
  readonly originNamed: string;
  /** Marks a value that neither the user nor a trusted result has given. */
  readonly notFromUser: string;
  /** Stand for the values true and false. */
  readonly yes: string;
  readonly no: string;
  /** Stands above the arguments that the action does not declare. */
  readonly undeclared: string;
  readonly confirmUntil: string;
  readonly confirmSending: string;
  readonly changeValues: string;
  readonly discardChanges: string;
  readonly changedFrom: string;
  readonly notANumber: string;
  readonly notADate: string;
  readonly notJson: string;
  readonly hiddenInside: string;
  readonly editFailed: string;
  readonly remember: string;
  readonly lastMinute: string;
  readonly approve: string;
  readonly decline: string;
  readonly showAll: string;
  readonly showLess: string;
  /** How a question ended and who decided it. */
  readonly outcome: Readonly<
    Record<ConfirmationOutcome | 'approvedByRule' | 'approvedElsewhere' | 'declinedElsewhere', string>
  >;
  readonly answerFailed: string;
  readonly answerRefused: string;
  /** What the header says about the connection. The other states have no text. */
  readonly connection: Readonly<Record<TroubledConnection, string>> & {
    readonly [status in ConnectionStatus]?: string;
  };
  readonly reconnected: string;
  readonly messageWaits: string;
  readonly notice: Readonly<Record<OwnNotice, string>>;
  /** `{time}` is when a spent budget is renewed. The server has said it in UTC. */
  readonly budgetResets: string;
  /** The name of the list of what became of a turn's actions. */
  /** The button that opens what the model has thought. */
  readonly thought: string;
  readonly receipts: string;
  readonly opening: string;
  readonly openPage: string;
  readonly cardLabel: string;
  readonly sources: string;
  readonly cardFailed: string;
  readonly cardRequired: string;
  /** `{range}` is `1 – 5`, `≥ 1` or `≤ 5`. */
  readonly cardRange: string;
  readonly cardSent: string;
  readonly showData: string;
}

/** The text with its placeholders replaced. A placeholder without a value stays as it is. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}
