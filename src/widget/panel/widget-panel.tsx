import { render } from 'preact';
import type { TurnHubEvent } from '../conversation/apply-event.ts';
import { Conversation } from '../conversation/conversation.ts';
import type { ConversationState, UserMessage } from '../conversation/conversation-state.ts';
import { type PageAction, PageActions } from '../conversation/page-actions.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';
import { applyColours } from '../colour/apply-colours.ts';
import { PageToken } from '../transport/page-token.ts';
import type { DisplayOptions } from '../display-options.ts';
import type { HostContext, WidgetState } from '../page-types.ts';
import type { Panel, PanelHost } from '../widget-contract.ts';
import { addStyles } from './add-styles.ts';
import { ChangeTeller } from './change-teller.ts';
import { Chunks } from './chunks.ts';
import { Announcer } from './speech/announcer.ts';
import { HostEvents } from './host-events.ts';
import { HostPage } from './host-page.ts';
import { LauncherNews } from './launcher-news.ts';
import { LazyParts } from './lazy-parts.ts';
import { Navigation } from './navigation.ts';
import { panelActions } from './panel-actions.ts';
import type { PanelActions, PanelContext } from './panel-context.ts';
import panelCss from './panel.css';
import { NextFrame } from './next-frame.ts';
import { offerPageTools } from './page-tools.ts';
import { PanelRecord } from './panel-record.ts';
import { PanelView } from './panel-view.tsx';
import { widgetState } from './widget-state.ts';
import { PanelWindow } from './window/panel-window.ts';
import { waysToServer } from './ways-to-server.ts';

/** The whole panel: its conversation, its announcements, and what it tells the page. */
export class WidgetPanel implements Panel {
  readonly #host: PanelHost;
  readonly #window: PanelWindow;
  readonly #announcer = new Announcer();
  readonly #teller: ChangeTeller;
  readonly #events: HostEvents;
  readonly #navigation: Navigation;
  readonly #parts: LazyParts;
  readonly #actions: PanelActions;
  readonly #token = new PageToken();
  readonly #conversation: Conversation;
  readonly #view: { current: PanelView | null } = { current: null };
  #display: DisplayOptions;
  #texts: WidgetTexts;
  #version = 0;
  #state: ConversationState;
  readonly #pageActions = new PageActions((name) => this.#events.dispatch('uiaction', { name }));
  readonly #page: HostPage;
  readonly #nextFrame = new NextFrame(() => this.#draw());
  readonly #news: LauncherNews;
  readonly #record: PanelRecord;
  readonly #endPageTools: () => void;

  constructor(host: PanelHost, display: DisplayOptions, texts: WidgetTexts) {
    this.#host = host;
    this.#display = display;
    this.#texts = texts;
    addStyles(host.shadow, panelCss);
    const chunks = new Chunks(host);
    this.#events = new HostEvents(host.element);
    this.#navigation = new Navigation(this.#events, host);
    this.#page = new HostPage(host.isPage);
    this.#news = new LauncherNews({
      launcher: host.launcher,
      mark: (questions) => this.#page.mark(questions),
      events: this.#events,
      isOpen: () => this.isOpen,
      open: () => widgetState(this.#state).openConfirmations,
      texts: () => this.#texts,
    });
    this.#endPageTools = offerPageTools(host, chunks, this.#pageActions);
    this.#window = new PanelWindow(host, {
      onEscape: () => this.close(),
      onSwitchPart: () => this.#view.current?.switchPart(host.shadow),
    });
    this.#parts = new LazyParts({
      host,
      chunks,
      panel: this,
      dialog: this.#window.element,
      texts: () => this.#texts,
      state: () => this.#state,
      view: this.#view,
      navigation: this.#navigation,
      draw: () => this.#draw(),
      say: (text) => this.#announcer.say(text),
    });
    this.#teller = new ChangeTeller({
      announcer: this.#announcer,
      withBeside: this.#parts.withBeside,
      events: this.#events,
      navigation: this.#navigation,
      news: this.#news,
      texts: () => this.#texts,
      botName: () => this.#display.botName,
      onNavigated: (url) => this.#conversation.markNavigationHandled(url),
    });
    this.#conversation = new Conversation({
      ...waysToServer(host, chunks, this.#token),
      page: () => this.#page.context,
      locale: () => this.#texts.locale,
      actions: this.#pageActions,
      settings: host.settings,
      listener: {
        onChange: (state, event, isNews) => this.#changed(state, event, isNews),
        onConnected: (fields) => this.#actions.offerLists(fields),
        onPutBack: () => this.#record.giveDraft(),
        onReturned: ({ text, images }) => this.#view.current?.giveBack(text, images),
        onOtherUser: () => this.#view.current?.clearDraft(),
        onOfferRefused: (message) => this.#events.dispatch('error', { code: 'invalid_request', message }),
      },
    });
    this.#actions = panelActions({
      conversation: this.#conversation,
      chunks,
      host,
      token: this.#token,
      lazy: this.#parts,
      announcer: this.#announcer,
      content: this.#window.content,
      texts: () => this.#texts,
      send: (message) => void this.#send(message),
      focusComposer: () => this.#view.current?.focusComposer(),
      close: () => this.close(),
    });
    this.#state = this.#conversation.state;
    this.#applyDisplay();
    this.#draw();
    this.#window.element.append(this.#announcer.polite, this.#announcer.assertive);
    this.#record = new PanelRecord({
      scriptUrl: host.scriptUrl,
      conversation: this.#conversation,
      view: () => this.#view.current,
      isOpen: () => this.isOpen,
      reopen: () => {
        this.#window.reopen();
        this.#opened();
      },
    });
    this.#record.takeUp(host.isPage === true);
  }

  get isOpen(): boolean {
    return this.#window.isOpen;
  }

  open(): void {
    if (this.isOpen) return;
    if (this.#news.hasNews) this.#teller.opened(() => this.#state);
    this.#window.open();
    this.#opened();
    this.#view.current?.focusComposer();
  }

  #opened(): void {
    this.#parts.opened();
    this.#news.clear();
    this.#events.dispatch('open', null);
  }

  close(): void {
    if (!this.isOpen) return;
    this.#parts.voice?.silence();
    const hadFocus = this.#window.element.contains(this.#host.shadow.activeElement);
    this.#window.close();
    this.#news.show();
    if (hadFocus) this.#host.launcher.button.focus();
    this.#events.dispatch('close', null);
  }

  toggle(): void {
    if (this.isOpen) this.close();
    else this.open();
  }

  /** Sends a text. Rejects anything else, because the page's code may have got it wrong. */
  async send(text: unknown): Promise<void> {
    if (typeof text !== 'string') throw new TypeError('send takes a text');
    this.open();
    await this.#send({ text });
  }

  stop(): Promise<void> {
    return this.#actions.stop();
  }

  newConversation(): Promise<void> {
    this.#parts.voice?.bargeIn();
    return this.#conversation.newConversation();
  }

  startTour(): Promise<void> {
    return this.#parts.startTour();
  }

  setContext(context: HostContext): void {
    this.#page.tell(context);
  }

  clearContext(): void {
    this.#page.forget();
  }

  setNavigator(navigator: unknown): void {
    this.#navigation.use(navigator);
  }

  getState(): Omit<WidgetState, 'isHidden'> {
    return { ...widgetState(this.#state), isOpen: this.isOpen, unread: this.#news.count };
  }

  registerAction(name: string, action: PageAction | null): void {
    this.#pageActions.register(name, action);
  }

  async setTokenProvider(provider: unknown): Promise<void> {
    this.#token.use(provider);
    await this.#conversation.checkUser();
  }

  /** Signs the user out. The conversation and the draft are deleted, also for the next page of this tab. */
  async signOut(): Promise<void> {
    this.#record.clear();
    await this.#conversation.newConversation();
    await this.setTokenProvider(null);
  }

  redraw(display: DisplayOptions, texts: WidgetTexts): void {
    this.#display = display;
    this.#texts = texts;
    this.#version += 1;
    this.#applyDisplay();
    this.#parts.redraw();
    this.#draw();
    this.#news.show();
  }

  destroy(): void {
    this.#nextFrame.cancel();
    this.#endPageTools();
    this.#parts.destroy();
    void this.#conversation.close();
    this.#record.end();
    this.#announcer.destroy();
    this.#page.mark(0);
    render(null, this.#window.element);
    this.#window.destroy();
  }

  async #send(message: UserMessage): Promise<void> {
    this.#parts.voice?.bargeIn();
    this.#events.dispatch('message', { text: message.text });
    await this.#conversation.send(message);
  }

  /** Shows a change. A change that the page before has already announced is not announced again. */
  #changed(state: ConversationState, event: TurnHubEvent | null, isNews: boolean): void {
    const before = this.#state;
    this.#state = state;
    if (isNews) this.#teller.tell(before, state, event);
    else this.#teller.skip(state);
    this.#parts.voice?.follow(isNews && !state.isAside);
    if (event?.name === 'TextDelta' || event?.name === 'TextReplaced') this.#nextFrame.request();
    else {
      this.#draw();
      this.#news.show();
    }
    // The button that brought the conversation back has gone, so its focus moves to the composer.
    if (before.isAside && !state.isAside && this.isOpen && this.#host.shadow.activeElement === null) {
      this.#view.current?.focusComposer();
    }
    if (state.isAside) this.#navigation.forget();
    else if (before.turn !== null && state.turn === null) this.#navigation.go();
  }

  #draw(): void {
    render(
      <PanelView self={this.#view} context={this.#context()} state={this.#conversation.state} />,
      this.#window.content,
    );
  }

  /**
   * Applies what changes only with the display. Writing `lang` again, even with the same value, makes the browser compute every style
   * anew.
   */
  #applyDisplay(): void {
    this.#window.name(this.#texts, this.#display.botName);
    applyColours(this.#host.root.style, this.#display);
  }

  #context(): PanelContext {
    return {
      texts: this.#texts,
      display: this.#display,
      suggestions: this.#host.settings.suggestions,
      aiDisclosure: this.#host.settings.aiDisclosure,
      version: this.#version + this.#parts.version,
      actions: this.#actions,
      ...this.#parts.context,
    };
  }
}
