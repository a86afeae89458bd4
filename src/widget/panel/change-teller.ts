import type { TurnHubEvent } from '../conversation/apply-event.ts';
import type { ConversationState } from '../conversation/conversation-state.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';
import type { HostEvents } from './host-events.ts';
import type { LauncherNews } from './launcher-news.ts';
import type { Navigation } from './navigation.ts';
import type { Announcer } from './speech/announcer.ts';
import { Narrator, type WithBeside } from './speech/narrator.ts';

interface ChangeTellerOptions {
  readonly announcer: Announcer;
  readonly withBeside: WithBeside;
  readonly events: HostEvents;
  readonly navigation: Navigation;
  readonly news: LauncherNews;
  readonly texts: () => WidgetTexts;
  readonly botName: () => string;
  /** Called when the address was opened, or will be opened at the end of the turn. */
  readonly onNavigated: (url: string) => void;
}

/** Milliseconds. Screen readers hear a region only once it has been on the screen for a moment. */
const heardDelayMs = 200;

/** Tells screen readers, the page and the launcher what has changed in the conversation. */
export class ChangeTeller {
  readonly #options: ChangeTellerOptions;
  readonly #narrator: Narrator;

  constructor(options: ChangeTellerOptions) {
    this.#options = options;
    this.#narrator = new Narrator(options.announcer, options.withBeside);
  }

  /** Takes a state that the page before has already announced, and announces nothing. */
  skip(state: ConversationState): void {
    this.#narrator.skip(state);
  }

  /** The panel opens with something new in it. */
  opened(state: () => ConversationState): void {
    const { announcer, texts, botName } = this.#options;
    announcer.later(heardDelayMs, () => this.#narrator.catchUp(state(), { texts: texts(), botName: botName() }));
  }

  tell(before: ConversationState, state: ConversationState, event: TurnHubEvent | null): void {
    const { announcer, events, news, texts, botName } = this.#options;
    const isOutOfSight = before.isAside || state.isAside;
    if (!isOutOfSight) this.#narrator.follow(before, state, { texts: texts(), botName: botName() });
    else if (!before.isAside) announcer.say(`${texts().cleared} ${texts().undoHint}`);
    if (before.connection !== state.connection) events.dispatch('status', { connection: state.connection });
    events.tellSignedOut(before, state, texts().notice['signed-out']);
    if (event !== null) this.#happened(event, state);
    const hasEnded = before.turn !== null && state.turn === null;
    if (!isOutOfSight && (hasEnded || event?.name === 'ConfirmationRequested')) news.add();
  }

  #happened(event: TurnHubEvent, state: ConversationState): void {
    const { events, navigation, texts, onNavigated } = this.#options;
    if (!state.isAside) this.#narrator.event(event, state, texts());
    events.tell(event);
    if (event.name === 'NavigationRequested' && !state.isAside && navigation.request(event.fields)) {
      onNavigated(event.fields.url);
    }
  }
}
