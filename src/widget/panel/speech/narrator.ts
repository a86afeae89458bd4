import type { ConfirmationRequestedFields, Receipt, TurnHubEvents } from '../../../wire/hub-events.ts';
import { namesAtWork } from '../../conversation/agents-at-work.ts';
import type { TurnHubEvent } from '../../conversation/apply-event.ts';
import { type ConversationState, isOpenQuestion, waitsForConnection } from '../../conversation/conversation-state.ts';
import { spokenReply } from '../../conversation/spoken-reply.ts';
import { fillCounted } from '../../texts/fill-counted.ts';
import { fill, type WidgetTexts } from '../../texts/widget-texts.ts';
import { noticeText, renewalText, speakerName, workingText } from '../state-texts.ts';
import type { Speech } from './speech.ts';

const lastMinuteMs = 60_000;
const longestTimerMs = 2 ** 31 - 1;
/** Milliseconds. A connection that opens sooner is not announced. */
const unsentDelayMs = 1000;
/** Milliseconds. An agent that has ended or speaks sooner is not announced. */
const workingDelayMs = 1500;

/** The announcements of what the `beside` chunk draws. */
export interface SpokenBeside {
  /** Of a question: the action, its values, and the way to its buttons. */
  readonly spokenQuestion: (asking: ConfirmationRequestedFields, texts: WidgetTexts) => string;
  /**
   * Of a decided question: how its action ended, or who else decided against it. Empty while the action still runs, and for what the user has
   * just done.
   */
  readonly spokenOutcome: (
    event: Extract<TurnHubEvent, { name: 'ActionCompleted' | 'ConfirmationResolved' }>,
    state: ConversationState,
    texts: WidgetTexts,
  ) => string;
  /** Of how actions without a line of their own ended. */
  readonly spokenReceipts: (receipts: readonly Receipt[], texts: WidgetTexts) => string;
}

/** Uses the announcements once the chunk has loaded. */
export type WithBeside = (use: (beside: SpokenBeside) => void) => void;

/** Tells screen readers the important moments of a turn and of the connection. */
export class Narrator {
  readonly #speech: Speech;
  readonly #withBeside: WithBeside;
  #spoken = 0;
  #state: Pick<ConversationState, 'entries' | 'turn'> = { entries: [], turn: null };
  /** The agents of the turn whose work was announced. */
  readonly #announced = new Set<string>();
  #isUnsent = false;

  constructor(speech: Speech, withBeside: WithBeside) {
    this.#speech = speech;
    this.#withBeside = withBeside;
  }

  /** Takes a state that the page before has already announced, and announces nothing. */
  skip(state: ConversationState): void {
    this.#spoken = state.nextId;
    this.#state = state;
  }

  follow(
    before: ConversationState,
    after: ConversationState,
    options: { readonly texts: WidgetTexts; readonly botName: string },
  ): void {
    const { texts, botName } = options;
    this.#state = after;
    if (before.turn === null && after.turn !== null) {
      this.#spoken = after.nextId;
      this.#announced.clear();
      this.#speech.think(fill(texts.thinking, { botName }));
    }
    this.#connection(before, after, texts);
    this.#unsent(after, texts);
    if (before.turn !== null && after.turn === null) this.#ended(after, options);
  }

  /** Announces what has come while the panel was closed, where nobody hears it: the open questions, or else the last reply. */
  catchUp(state: ConversationState, options: { readonly texts: WidgetTexts; readonly botName: string }): void {
    if (state.isAside) return;
    const open = state.entries.filter(isOpenQuestion);
    for (const { request } of open) this.#ask(request, options.texts);
    if (open.length === 0 && state.turn === null) this.#ended(state, options);
  }

  /** `state` is the state after the event. */
  event(event: TurnHubEvent, state: ConversationState, texts: WidgetTexts): void {
    // Every other event is more important than the news that the assistant is thinking.
    if (event.name !== 'TurnStarted' && event.name !== 'ActionProgress') this.#speech.doneThinking();
    switch (event.name) {
      case 'ActionExecuting':
        this.#began(event.fields, state, texts);
        break;
      case 'AgentActivity':
        if (event.fields.phase === 'started') this.#speech.sayLater(workingDelayMs, () => this.#newAtWork(texts));
        break;
      case 'ConfirmationRequested':
        this.#ask(event.fields, texts);
        this.#warn(event.fields, texts);
        break;
      case 'ErrorOccurred':
        // The failure of an action is announced at the end of the turn, unless the reply tells it.
        if (!event.fields.code.startsWith('action_')) this.#fault(event.fields, texts);
        break;
      case 'ActionCompleted':
      case 'ConfirmationResolved':
        if (state.entries.some(({ kind }) => kind === 'confirmation'))
          this.#withBeside(({ spokenOutcome }) => this.#speech.say(spokenOutcome(event, state, texts)));
        break;
      case 'TextDelta':
      case 'TextReplaced':
      case 'ThoughtReady':
      case 'TurnStarted':
      case 'ActionProgress':
      case 'NavigationRequested':
      case 'CardReady':
      case 'RagSourcesReady':
      case 'TurnCompleted':
        break;
    }
  }

  /** Announces that an action has begun. An action that the user has just approved is announced only if it takes longer. */
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

  /** The announcement of the agents that work and were not announced before. */
  #newAtWork(texts: WidgetTexts): string {
    const { turn } = this.#state;
    const working = turn?.isSpeaking === true ? [] : namesAtWork(turn);
    const names = working.filter((name) => !this.#announced.has(name));
    for (const name of names) this.#announced.add(name);
    return workingText(names, texts);
  }

  /** Warns once when the time for an answer runs out, for users who cannot see the clock. */
  #warn({ actionId, title, expiresAt }: ConfirmationRequestedFields, texts: WidgetTexts): void {
    const delay = expiresAt === undefined ? 0 : Date.parse(expiresAt) - Date.now() - lastMinuteMs;
    if (delay <= 0 || delay > longestTimerMs) return;
    this.#speech.sayLater(delay, () => (this.#isOpen(actionId) ? fill(texts.lastMinute, { action: title }) : ''));
  }

  #isOpen(actionId: string): boolean {
    return this.#state.entries.some((entry) => isOpenQuestion(entry) && entry.request.actionId === actionId);
  }

  /** A question may be decided before the chunk that words it has come. */
  #ask(asking: ConfirmationRequestedFields, texts: WidgetTexts): void {
    this.#withBeside(({ spokenQuestion }) => {
      if (this.#isOpen(asking.actionId)) this.#speech.say(spokenQuestion(asking, texts), 'assertive');
    });
  }

  #fault({ message, budget, retryable }: TurnHubEvents['ErrorOccurred'], texts: WidgetTexts): void {
    const renewal = retryable ? '' : renewalText(budget, texts);
    this.#speech.say(`${message} ${renewal}`.trim(), 'assertive');
  }

  #connection(before: ConversationState, after: ConversationState, texts: WidgetTexts): void {
    if (before.connection === after.connection) return;
    if (after.connection === 'reconnecting' || after.connection === 'lost') {
      this.#speech.say(texts.connection.lost, 'assertive');
    } else if (after.connection === 'signed-out') {
      // The end of a turn tells it too.
      if (before.turn === null) this.#speech.say(texts.notice['signed-out'], 'assertive');
    } else if (before.connection === 'reconnecting') this.#speech.say(texts.reconnected);
  }

  #unsent(state: ConversationState, texts: WidgetTexts): void {
    const wasUnsent = this.#isUnsent;
    this.#isUnsent = waitsForConnection(state);
    if (this.#isUnsent && !wasUnsent) {
      this.#speech.sayLater(unsentDelayMs, () => (this.#isUnsent ? texts.messageWaits : ''));
    }
  }

  /** Announces the reply once and as a whole. An ending other than the normal one follows. */
  #ended(
    state: ConversationState,
    { texts, botName }: { readonly texts: WidgetTexts; readonly botName: string },
  ): void {
    this.#speech.doneThinking();
    const entries = state.entries.filter((entry) => entry.id >= this.#spoken);
    const replies = entries.flatMap((entry) => (entry.kind === 'reply' ? [entry] : []));
    const said = replies.map((reply) => {
      const name = speakerName(reply.speaker, botName);
      return reply.speaker === undefined ? reply.text : `${fill(texts.botSaid, { botName: name })}\n\n${reply.text}`;
    });
    const { text, wordsInAll } = spokenReply(said.join('\n\n'), texts.locale);
    this.#speech.say(
      wordsInAll === null ? text : `${text} ${fillCounted(texts.longReply, { count: wordsInAll }, texts.locale)}`,
    );
    const ending = replies.at(-1)?.ending;
    if (ending === 'stopped') this.#speech.say(texts.notice.stopped);
    for (const entry of entries) {
      if (entry.kind === 'action') this.#speech.say(entry.reason, 'assertive');
      if (entry.kind === 'receipts')
        this.#withBeside(({ spokenReceipts }) => this.#speech.say(spokenReceipts(entry.receipts, texts)));
      if (entry.kind === 'notice' && !/^(?:server|refusal)$/.test(entry.notice.type)) {
        this.#speech.say(noticeText(entry.notice, texts, ''), 'assertive');
      }
    }
  }
}
