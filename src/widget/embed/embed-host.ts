import type { HelperWidgetApi } from '../page-types.ts';
import type { Bridge, HostCommands } from './bridge.ts';
import { longestMessage, type Payload } from './bridge-message.ts';
import { HostActions } from './host-actions.ts';
import { HostDictation } from './host-dictation.ts';
import { HostHaptics } from './host-haptics.ts';
import { HostToken, readToken } from './host-token.ts';
import { languageOf } from './language-of.ts';
import { readList, readObject, readOptionalText, readText } from './read-payload.ts';

export interface EmbedHostOptions {
  readonly api: HelperWidgetApi;
  readonly element: HTMLElement;
  readonly bridge: Bridge;
}

/** A host that lists more names in `can` has made a mistake. */
const mostAbilities = 16;
const longestChoice = 200;
const longestUrl = 2048;

/**
 * The page's side of the conversation with the host. It carries out the host's messages, and tells the host what happens. It asks the host
 * only for abilities that the host has named.
 */
export class EmbedHost {
  readonly #api: HelperWidgetApi;
  readonly #element: HTMLElement;
  readonly #bridge: Bridge;
  readonly #token: HostToken;
  readonly #actions: HostActions;
  readonly #dictation: HostDictation;
  readonly #haptics: HostHaptics;
  #can: ReadonlySet<unknown> = new Set();
  /** The host itself closes the panel, so it is not told about that. */
  #isClosing = false;
  #toldState = '';

  constructor({ api, element, bridge }: EmbedHostOptions) {
    this.#api = api;
    this.#element = element;
    this.#bridge = bridge;
    this.#token = new HostToken(bridge);
    this.#actions = new HostActions(api, bridge);
    this.#dictation = new HostDictation(bridge, window as object); // the cast is needed because the two types have no field in common
    this.#haptics = new HostHaptics(api, bridge, document);
  }

  /** Listens to the host, and tells the host that it listens. */
  begin(): void {
    void this.#api.setTokenProvider(this.#token.read);
    this.#bridge.listen(this.#commands);
    this.#follow();
    this.#haptics.follow();
    this.#bridge.tell('ready');
  }

  fail(message: string): void {
    this.#bridge.tell('error', { code: 'internal', message });
  }

  readonly #commands: HostCommands = {
    init: (payload) => this.#init(payload),
    setToken: (payload) => this.#setToken(readToken(payload)),
    setContext: (payload) => this.#setContext(payload),
    open: () => this.#api.open(),
    close: () => this.#close(),
    send: (payload) => this.#api.send(readText(payload, 'text', longestMessage)),
    setTheme: (payload) => this.#api.setTheme(readText(payload, 'theme', longestChoice)),
    setLocale: (payload) => this.#choose({ locale: readText(payload, 'locale', longestChoice) }),
    dictate: (payload, id) => this.#dictation.hear(payload, id),
    back: () => (this.#can.has('close') ? this.#api.close() : undefined),
  };

  /** Reads the whole message before it acts, so that a faulty message changes nothing. */
  async #init(payload: Payload): Promise<void> {
    const can = new Set(readList(payload, 'can', mostAbilities));
    const choices = ['locale', 'theme', 'primaryColor', 'botName'] as const;
    const chosen = Object.fromEntries(choices.map((name) => [name, readOptionalText(payload, name, longestChoice)]));
    const actions = this.#actions.read(payload);
    const context = payload['context'] === undefined ? null : readObject(payload['context'], 'context');
    this.#can = can;
    this.#element.toggleAttribute('data-closes', can.has('close'));
    this.#token.begin(can.has('getToken'));
    // The panel looks for a microphone when it is redrawn, so the host's offer is set before that.
    this.#dictation.offer(can.has('dictate'));
    const done = [this.#choose(chosen), this.#actions.offer(actions)];
    if (context !== null) done.push(this.#setContext(context));
    await Promise.all(done);
  }

  async #choose({ locale, ...others }: Readonly<Record<string, string | undefined>>): Promise<void> {
    const given = Object.entries(others).filter(([, value]) => value !== undefined);
    if (locale !== undefined) document.documentElement.lang = locale;
    const language = locale === undefined ? {} : { language: languageOf(locale) };
    await this.#api.init({ ...Object.fromEntries(given), ...language });
  }

  async #setToken(token: string | null): Promise<void> {
    const hadUser = this.#token.isKnown;
    if (this.#token.give(token)) return;
    if (token === null && hadUser) await this.#api.signOut();
    await this.#api.setTokenProvider(this.#token.read);
  }

  async #setContext(payload: Payload): Promise<void> {
    const pageName = readText(payload, 'name', longestChoice);
    const pageTitle = readOptionalText(payload, 'title', 500);
    const pageUrl = readOptionalText(payload, 'url', longestUrl);
    const cleared = this.#api.clearContext();
    await this.#api.setContext({
      pageName,
      ...(pageTitle === undefined ? {} : { pageTitle }),
      ...(pageUrl === undefined ? {} : { pageUrl }),
      ...(payload['data'] === undefined ? {} : { pageData: payload['data'] }),
    });
    await cleared;
  }

  async #close(): Promise<void> {
    this.#isClosing = true;
    await this.#api.close();
    this.#isClosing = false;
  }

  #follow(): void {
    const { on } = this.#api;
    on('close', () => this.#closed());
    on('unread', ({ count }) => this.#bridge.tell('unread', { count }));
    on('error', ({ code, message }) => this.#bridge.tell('error', { code, message }));
    on('navigate', ({ url, page }, event) => {
      if (!this.#can.has('navigate')) return;
      event.preventDefault();
      this.#bridge.tell('navigate', { url, page });
    });
    for (const name of ['open', 'close', 'message', 'reply', 'confirmation', 'unread', 'status'] as const) {
      on(name, () => void this.#tellState());
    }
    document.addEventListener('click', (event) => this.#followLink(event), { capture: true });
  }

  #closed(): void {
    if (this.#isClosing) return;
    if (this.#can.has('close')) this.#bridge.tell('close');
    // Without the host nobody could open the panel again.
    else void this.#api.open();
  }

  async #tellState(): Promise<void> {
    const { isOpen, isRunning, openConfirmations, unread, connection } = await this.#api.getState();
    const state = { isOpen, isRunning, openConfirmations, unread, connection };
    const text = JSON.stringify(state);
    if (text === this.#toldState) return;
    this.#toldState = text;
    this.#bridge.tell('state', state);
  }

  /** Tells the host the address as it is written, because a relative address means one of the host's pages. */
  #followLink(event: MouseEvent): void {
    if (!this.#can.has('openLink')) return;
    const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
    const url = link?.getAttribute('href') ?? null;
    if (url === null) return;
    event.preventDefault();
    this.#bridge.tell('openLink', { url });
  }
}
