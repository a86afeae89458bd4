import type { ConfirmationRequestedFields, TurnHubEvents } from '../../../wire/hub-events.ts';
import type { TurnHubEvent } from '../../conversation/apply-event.ts';
import {
  type ConversationState,
  type Entry,
  isOpenQuestion,
  waitsForConnection,
} from '../../conversation/conversation-state.ts';
import { spokenReply } from '../../conversation/spoken-reply.ts';
import { fillCounted } from '../../texts/fill-counted.ts';
import { fill, type WidgetTexts } from '../../texts/widget-texts.ts';
import { noticeText } from '../state-texts.ts';
import type { Speech } from './speech.ts';
import { spokenOutcome } from './spoken-outcome.ts';
import { spokenQuestion } from './spoken-question.ts';

const lastMinuteMs = 60_000;
const longestTimerMs = 2 ** 31 - 1;
/** A connection that is there within so long is not worth a word. */
const unsentDelayMs = 1000;

/** Tells screen readers what is worth saying of a turn and of the connection. */
export class Narrator {
  readonly #speech: Speech;
  #spoken = 0;
  #entries: readonly Entry[] = [];
  #isUnsent = false;

  constructor(speech: Speech) {
    this.#speech = speech;
  }

  /** What stands there was told on the page before. */
  skip(state: ConversationState): void {
    this.#spoken = state.nextId;
    this.#entries = state.entries;
  }

  follow(
    before: ConversationState,
    after: ConversationState,
    options: { readonly texts: WidgetTexts; readonly botName: string },
  ): void {
    const { texts, botName } = options;
    this.#entries = after.entries;
    if (before.turn === null && after.turn !== null) {
      this.#spoken = after.nextId;
      this.#speech.think(fill(texts.thinking, { botName }));
    }
    this.#connection(before, after, texts);
    this.#unsent(after, texts);
    if (before.turn !== null && after.turn === null) this.#ended(after, texts);
  }

  /** `state` is the one after it. */
  event(event: TurnHubEvent, state: ConversationState, texts: WidgetTexts): void {
    // Whatever comes of it is more news than that it goes on.
    if (event.name !== 'TurnStarted' && event.name !== 'ActionProgress') this.#speech.doneThinking();
    switch (event.name) {
      case 'ActionExecuting':
        this.#began(event.fields, state, texts);
        break;
      case 'ConfirmationRequested':
        this.#speech.say(spokenQuestion(event.fields, texts), 'assertive');
        this.#warn(event.fields, texts);
        break;
      case 'ErrorOccurred':
        // What went wrong with an action is said at the end, unless the reply says it.
        if (!event.fields.code.startsWith('action_')) this.#speech.say(event.fields.message, 'assertive');
        break;
      case 'ActionCompleted':
      case 'ConfirmationResolved':
        this.#speech.say(spokenOutcome(event, state, texts));
        break;
      case 'TextDelta':
      case 'TextReplaced':
      case 'TurnStarted':
      case 'ActionProgress':
      case 'NavigationRequested':
      case 'CardReady':
      case 'TurnCompleted':
        break;
    }
  }

  /** Of what was just approved only a longer run is worth a word before its outcome. */
  #began(
    { callId, title }: TurnHubEvents['ActionExecuting'],
    { entries }: ConversationState,
    texts: WidgetTexts,
  ): void {
    const text = fill(texts.action.running, { action: title });
    const isAsked = entries.some((entry) => entry.kind === 'confirmation' && entry.request.callId === callId);
    if (isAsked) this.#speech.think(text);
    else this.#speech.sayAction(text);
  }

  /** Who cannot see the clock hears once that the time runs out. */
  #warn({ actionId, title, expiresAt }: ConfirmationRequestedFields, texts: WidgetTexts): void {
    const delay = expiresAt === undefined ? 0 : Date.parse(expiresAt) - Date.now() - lastMinuteMs;
    if (delay <= 0 || delay > longestTimerMs) return;
    const isOpen = (entry: Entry): boolean => isOpenQuestion(entry) && entry.request.actionId === actionId;
    this.#speech.sayLater(delay, () => (this.#entries.some(isOpen) ? fill(texts.lastMinute, { action: title }) : ''));
  }

  #connection(before: ConversationState, after: ConversationState, texts: WidgetTexts): void {
    if (before.connection === after.connection) return;
    if (after.connection === 'reconnecting' || after.connection === 'lost') {
      this.#speech.say(texts.connection.lost, 'assertive');
    } else if (before.connection === 'reconnecting') this.#speech.say(texts.reconnected);
  }

  #unsent(state: ConversationState, texts: WidgetTexts): void {
    const wasUnsent = this.#isUnsent;
    this.#isUnsent = waitsForConnection(state);
    if (this.#isUnsent && !wasUnsent) {
      this.#speech.sayLater(unsentDelayMs, () => (this.#isUnsent ? texts.messageWaits : ''));
    }
  }

  /** The reply once, as a whole; then what happened to it, if it did not simply end. */
  #ended(state: ConversationState, texts: WidgetTexts): void {
    this.#speech.doneThinking();
    const entries = state.entries.filter((entry) => entry.id >= this.#spoken);
    const replies = entries.flatMap((entry) => (entry.kind === 'reply' ? [entry] : []));
    const { text, wordsInAll } = spokenReply(replies.map((reply) => reply.text).join('\n\n'), texts.locale);
    this.#speech.say(
      wordsInAll === null ? text : `${text} ${fillCounted(texts.longReply, { count: wordsInAll }, texts.locale)}`,
    );
    const ending = replies.at(-1)?.ending;
    if (ending === 'stopped') this.#speech.say(texts.notice.stopped);
    for (const entry of entries) {
      if (entry.kind === 'action') this.#speech.say(entry.reason, 'assertive');
      if (entry.kind === 'notice' && entry.notice.type !== 'server') {
        this.#speech.say(noticeText(entry.notice, texts, ''), 'assertive');
      }
    }
  }
}
