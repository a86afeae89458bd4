import type { TurnHubEvent } from '../chat/apply-event.ts';
import type { ChatState } from '../chat/chat-state.ts';
import { spokenReply } from '../chat/spoken-reply.ts';
import { fill, type WidgetTexts } from '../texts/widget-texts.ts';
import type { Announcer } from './announcer.ts';
import { noticeText } from './state-texts.ts';

/** Tells the announcer what is worth saying of a turn and of the connection. */
export class Narrator {
  readonly #announcer: Announcer;
  #spoken = 0;

  constructor(announcer: Announcer) {
    this.#announcer = announcer;
  }

  follow(
    before: ChatState,
    after: ChatState,
    options: { readonly texts: WidgetTexts; readonly botName: string },
  ): void {
    const { texts, botName } = options;
    if (before.turn === null && after.turn !== null) {
      this.#spoken = after.nextId;
      this.#announcer.think(fill(texts.thinking, { botName }));
    }
    this.#connection(before, after, texts);
    if (before.turn !== null && after.turn === null) this.#ended(after, texts);
  }

  event(event: TurnHubEvent, texts: WidgetTexts): void {
    switch (event.name) {
      case 'TextDelta':
        this.#announcer.doneThinking();
        break;
      case 'ActionExecuting':
        this.#announcer.doneThinking();
        this.#announcer.sayAction(fill(texts.actionRunning, { action: event.fields.title }));
        break;
      case 'ConfirmationRequested':
        this.#announcer.doneThinking();
        this.#announcer.say(fill(texts.confirmNeeded, { action: event.fields.title }), 'assertive');
        break;
      case 'ErrorOccurred':
        this.#announcer.say(event.fields.message, 'assertive');
        break;
      case 'TurnStarted':
      case 'ActionProgress':
      case 'ActionCompleted':
      case 'ConfirmationResolved':
      case 'NavigationRequested':
      case 'CardReady':
      case 'TurnCompleted':
        break;
    }
  }

  #connection(before: ChatState, after: ChatState, texts: WidgetTexts): void {
    if (before.connection === after.connection) return;
    if (after.connection === 'reconnecting' || after.connection === 'lost') {
      this.#announcer.say(texts.connectionLost, 'assertive');
    } else if (before.connection === 'reconnecting') this.#announcer.say(texts.reconnected);
  }

  /** The reply once, as a whole; then what happened to it, if it did not simply end. */
  #ended(state: ChatState, texts: WidgetTexts): void {
    this.#announcer.doneThinking();
    const entries = state.entries.filter((entry) => entry.id >= this.#spoken);
    const replies = entries.flatMap((entry) => (entry.kind === 'reply' ? [entry] : []));
    const { text, wordsInAll } = spokenReply(replies.map((reply) => reply.text).join('\n\n'), texts.locale);
    this.#announcer.say(wordsInAll === null ? text : `${text} ${fill(texts.longReply, { count: wordsInAll })}`);
    const ending = replies.at(-1)?.ending;
    if (ending === 'stopped') this.#announcer.say(texts.stopped);
    for (const entry of entries) {
      if (entry.kind === 'notice' && entry.notice.type !== 'server') {
        this.#announcer.say(noticeText(entry.notice, texts, ''), 'assertive');
      }
    }
  }
}
