import { render } from 'preact';
import type { TurnHubEvent } from '../conversation/apply-event.ts';
import { Conversation } from '../conversation/conversation.ts';
import type { ConversationState, UserMessage } from '../conversation/conversation-state.ts';
import { type PageAction, PageActions } from '../conversation/page-actions.ts';
import { fill, type WidgetTexts } from '../texts/widget-texts.ts';
import { accentText } from '../colour/accent-text.ts';
import { onColour, parseHex } from '../colour/hex-colour.ts';
import { createControlRequests } from '../transport/control-requests.ts';
import { SignalRLink } from '../transport/hub-link.ts';
import { PageToken, type TokenProvider } from '../transport/page-token.ts';
import type { EditModule } from '../edit/edit-contract.ts';
import type { DisplayOptions } from '../display-options.ts';
import type { FallbackModule, HostContext, Panel, PanelHost } from '../widget-contract.ts';
import { addStyles } from './add-styles.ts';
import { copyText } from './copy-text.ts';
import { Announcer } from './speech/announcer.ts';
import { CardLoader } from './transcript/card-loader.ts';
import { LazyChunk } from './lazy-chunk.ts';
import { HostEvents } from './host-events.ts';
import { Narrator } from './speech/narrator.ts';
import { Navigation } from './navigation.ts';
import { pageContext } from './page-context.ts';
import type { PanelContext } from './panel-context.ts';
import panelCss from './panel.css';
import { PanelView } from './panel-view.tsx';
import { PanelWindow } from './window/panel-window.ts';

/** File name of the edit chunk of this build (scripts/build-widget.ts). */
declare const EDIT_CHUNK: string;
/** And of the transports that are seldom needed. */
declare const FALLBACK_CHUNK: string;

/** wire.md 3. */
const largestPageData = 8 * 1024;

/** The panel with all that hangs on it: the conversation behind it, what is announced, what the page is told. */
export class WidgetPanel implements Panel {
  readonly #host: PanelHost;
  readonly #window: PanelWindow;
  readonly #announcer = new Announcer();
  readonly #narrator = new Narrator(this.#announcer);
  readonly #events: HostEvents;
  readonly #navigation: Navigation;
  readonly #cards: CardLoader;
  readonly #editing: LazyChunk<EditModule>;
  readonly #token = new PageToken();
  readonly #conversation: Conversation;
  readonly #view: { current: PanelView | null } = { current: null };
  #display: DisplayOptions;
  #texts: WidgetTexts;
  #version = 0;
  #state: ConversationState;
  readonly #pageActions = new PageActions();
  #hostContext: HostContext = {};
  #frame: number | null = null;
  #hasNews = false;

  constructor(host: PanelHost, display: DisplayOptions, texts: WidgetTexts) {
    this.#host = host;
    this.#display = display;
    this.#texts = texts;
    addStyles(host.shadow, panelCss);
    this.#events = new HostEvents(host.element);
    this.#navigation = new Navigation(this.#events);
    const addChunkStyles = (css: string): void => addStyles(host.shadow, css);
    this.#cards = new CardLoader(host, addChunkStyles);
    this.#editing = new LazyChunk({ host, file: EDIT_CHUNK, addStyles: addChunkStyles });
    this.#window = new PanelWindow(host.root, {
      onEscape: () => this.close(),
      onSwitchPart: () => this.#view.current?.switchPart(host.shadow),
    });
    const resolve = (path: string): string => new URL(path, host.scriptUrl).href;
    const { settings } = host;
    const fallback = new LazyChunk<FallbackModule>({ host, file: FALLBACK_CHUNK, addStyles: addChunkStyles });
    const link = {
      url: resolve(settings.hubPath),
      token: this.#token,
      loadFallback: async () => (await fallback.load()).transports,
    };
    this.#conversation = new Conversation({
      connect: (listener) => new SignalRLink(link, listener),
      control: createControlRequests(resolve(settings.approvePath), resolve(settings.cancelPath), this.#token),
      page: () => pageContext(this.#hostContext),
      actions: this.#pageActions,
      isDemo: settings.demo,
      listener: {
        onChange: (state, event) => this.#changed(state, event),
        onReturned: (text) => this.#view.current?.giveBack(text),
        onOfferRefused: (message) => this.#events.dispatch('error', { code: 'invalid_request', message }),
      },
    });
    this.#state = this.#conversation.state;
    this.#applyDisplay();
    this.#draw();
    this.#window.element.append(this.#announcer.polite, this.#announcer.assertive);
  }

  get isOpen(): boolean {
    return this.#window.isOpen;
  }

  open(): void {
    if (this.isOpen) return;
    this.#window.open();
    this.#hasNews = false;
    this.#showLauncher();
    this.#view.current?.focusComposer();
    this.#events.dispatch('open', null);
  }

  close(): void {
    if (!this.isOpen) return;
    const hadFocus = this.#window.element.contains(this.#host.shadow.activeElement);
    this.#window.close();
    this.#showLauncher();
    if (hadFocus) this.#host.launcher.button.focus();
    this.#events.dispatch('close', null);
  }

  toggle(): void {
    if (this.isOpen) this.close();
    else this.open();
  }

  /** Rejects what is no text: the page's own code may be wrong about it. */
  async send(text: unknown): Promise<void> {
    if (typeof text !== 'string') throw new TypeError('send takes a text');
    this.open();
    await this.#send({ text });
  }

  stop(): Promise<void> {
    return this.#conversation.stop();
  }

  newConversation(): Promise<void> {
    return this.#conversation.newConversation();
  }

  setContext(context: HostContext): void {
    const { byteLength } = new TextEncoder().encode(JSON.stringify(context.pageData ?? null));
    if (byteLength > largestPageData) throw new RangeError('pageData is larger than 8 KiB of JSON');
    this.#hostContext = { ...this.#hostContext, ...context };
  }

  registerAction(name: string, action: PageAction | null): void {
    this.#pageActions.register(name, action);
  }

  /** Rejects what is no function: the page's own code may be wrong about it. */
  async setTokenProvider(provider: unknown): Promise<void> {
    if (provider !== null && typeof provider !== 'function')
      throw new TypeError('setTokenProvider takes a function or null');
    this.#token.use(provider as TokenProvider | null); // a function, whatever it gives
    await this.#conversation.checkUser();
  }

  redraw(display: DisplayOptions, texts: WidgetTexts): void {
    this.#display = display;
    this.#texts = texts;
    this.#version += 1;
    this.#applyDisplay();
    this.#draw();
    this.#showLauncher();
  }

  destroy(): void {
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    void this.#conversation.close();
    this.#announcer.destroy();
    render(null, this.#window.element);
    this.#window.destroy();
  }

  async #send(message: UserMessage, shown?: string): Promise<void> {
    this.#events.dispatch('message', { text: message.text });
    await this.#conversation.send(message, shown);
  }

  #changed(state: ConversationState, event: TurnHubEvent | null): void {
    const before = this.#state;
    this.#state = state;
    const { botName } = this.#display;
    const isOutOfSight = before.isAside || state.isAside;
    if (!isOutOfSight) this.#narrator.follow(before, state, { texts: this.#texts, botName });
    else if (!before.isAside) this.#announcer.say(`${this.#texts.cleared} ${this.#texts.undoHint}`);
    if (before.connection !== state.connection) this.#events.dispatch('status', { connection: state.connection });
    this.#events.tellSignedOut(before, state, this.#texts.signInNeeded);
    if (event !== null) this.#happened(event);
    const hasEnded = before.turn !== null && state.turn === null;
    if (!isOutOfSight && (hasEnded || event?.name === 'ConfirmationRequested')) this.#showNews();
    if (event?.name === 'TextDelta' || event?.name === 'TextReplaced') this.#drawSoon();
    else this.#draw();
    // Whoever was at the button that brought it back reads on where messages are written.
    if (before.isAside && !state.isAside && this.isOpen && this.#host.shadow.activeElement === null) {
      this.#view.current?.focusComposer();
    }
    if (state.isAside) this.#navigation.forget();
    else if (hasEnded) this.#navigation.go();
  }

  #happened(event: TurnHubEvent): void {
    const { isAside } = this.#state;
    if (!isAside) this.#narrator.event(event, this.#texts);
    this.#events.tell(event);
    if (event.name === 'NavigationRequested' && !isAside && this.#navigation.request(event.fields)) {
      this.#conversation.markNavigationHandled(event.fields.url);
    }
  }

  #showNews(): void {
    if (this.isOpen) return;
    this.#hasNews = true;
    this.#showLauncher();
  }

  #showLauncher(): void {
    const { openChat, closeChat, openChatNews } = this.#texts;
    const label = this.isOpen ? closeChat : this.#hasNews ? openChatNews : openChat;
    this.#host.launcher.show({ isOpen: this.isOpen, hasNews: this.#hasNews, label });
  }

  /** Text can arrive faster than it can be looked at; everything else is shown at once. */
  #drawSoon(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = null;
      this.#draw();
    });
  }

  #draw(): void {
    render(
      <PanelView self={this.#view} context={this.#context()} state={this.#conversation.state} />,
      this.#window.content,
    );
  }

  /** What changes with the display only: writing `lang` again, even the same, makes every style be computed anew. */
  #applyDisplay(): void {
    const { element } = this.#window;
    element.lang = this.#texts.locale;
    element.setAttribute('aria-label', fill(this.#texts.panelLabel, { botName: this.#display.botName }));
    this.#colour();
  }

  /** What is written on the accent, and the accent as a colour of text: both must be readable (WCAG 1.4.3). */
  #colour(): void {
    const { primaryColor, theme } = this.#display;
    const accent = primaryColor === null ? null : parseHex(primaryColor);
    const { style } = this.#host.root;
    style.setProperty('--helper-on-accent', accent && onColour(accent));
    style.setProperty('--chosen-accent-text', accent && accentText(accent, theme === 'Dark'));
  }

  #context(): PanelContext {
    return {
      texts: this.#texts,
      display: this.#display,
      avatarUrl: this.#host.settings.avatarUrl,
      suggestions: this.#host.settings.suggestions,
      inputPlaceholder: this.#host.settings.inputPlaceholder,
      aiDisclosure: this.#host.settings.aiDisclosure,
      version: this.#version,
      actions: {
        send: (message, shown) => void this.#send(message, shown),
        suggest: (text) => {
          void this.#send({ text });
          this.#view.current?.focusComposer();
        },
        stop: () => void this.#conversation.stop(),
        answer: (actionId, approved, options) => void this.#conversation.answer(actionId, approved, options),
        editArguments: async (asked, idPrefix) => {
          const { editArguments } = await this.#editing.load();
          return editArguments({ arguments: asked, idPrefix, texts: this.#texts });
        },
        newConversation: () => {
          this.#conversation.putAside();
          this.#view.current?.focusComposer();
        },
        bringBack: () => this.#conversation.bringBack(),
        close: () => this.close(),
        copy: async (text) => {
          const isCopied = await copyText(text, this.#window.content);
          this.#announcer.say(isCopied ? this.#texts.copied : this.#texts.copyFailed);
          return isCopied;
        },
        planCard: (card) => this.#cards.plan(card, this.#texts),
      },
    };
  }
}
