import type { ClientSettings, Language } from '../../wire/client-settings.ts';
import type { ChosenDisplay, DisplayOptions } from '../display-options.ts';
import type { Panel } from '../widget-contract.ts';
import { followPage, watchPage } from './follow-page.ts';
import { overrideDisplay } from './override-display.ts';
import { Launcher } from './launcher.ts';
import launcherCss from './launcher.css';
import { launcherTexts } from './launcher-texts.ts';
import { clearEntry, readEntry, urgent } from '../tab/tab-entry.ts';
import { chunkLoader, type Chunks } from './load-chunks.ts';

export interface WidgetStart {
  readonly settings: ClientSettings;
  readonly scriptUrl: string;
  /** The script tag's `data-` attributes. */
  readonly chosen: Readonly<Record<string, unknown>>;
  /** See `PanelHost`. */
  readonly isPage?: boolean;
}

/** What a page may call that concerns the launcher alone, and what the panel does. */
export type WidgetCall = keyof Panel | 'show' | 'hide';

/** The widget of one page: draws the launcher at once, and fetches the panel when somebody shows an intent to talk. */
export class Widget {
  readonly #element: HTMLElement;
  readonly #start: WidgetStart;
  readonly #chunks: (language: Language) => Promise<Chunks>;
  readonly #launcher = new Launcher();
  readonly #root = document.createElement('div');
  readonly #shadow: ShadowRoot;
  #chosen: ChosenDisplay;
  #display: DisplayOptions;
  #panel: Promise<Panel> | null = null;
  /** Calls that make no sense without the panel and do not call for it. */
  #waiting: [keyof Panel, unknown[]][] = [];

  constructor(element: HTMLElement, start: WidgetStart) {
    this.#element = element;
    this.#start = start;
    this.#chunks = chunkLoader(start.settings, start.scriptUrl);
    this.#chosen = overrideDisplay(start.settings, { ...start.chosen, ...element.dataset });
    this.#display = followPage(this.#chosen);
    this.#shadow = element.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(launcherCss);
    this.#shadow.adoptedStyleSheets = [sheet];
    const { button } = this.#launcher;
    this.#root.append(button);
    this.#shadow.append(this.#root);
    this.#draw();
    this.#showLauncher('');
    const preload = (): void => void this.#chunks(this.#display.language).catch(() => 0);
    // The browser fetches a module once, however often it is asked for.
    button.onpointerenter = button.onfocus = preload;
    // A failure shows on the launcher.
    button.onclick = () => void this.run('toggle', []).catch(() => 0);
    if (readEntry(start.scriptUrl)[0] === urgent) void this.#loaded().catch(() => 0);
    watchPage(() => {
      const { theme, language } = followPage(this.#chosen);
      if (theme !== this.#display.theme || language !== this.#display.language) void this.#redraw().catch(() => 0);
    });
  }

  /** Calls the panel. One that is not there yet is fetched for what opens it; everything else is kept for it. */
  async run(name: WidgetCall, values: unknown[]): Promise<unknown> {
    if (name === 'show' || name === 'hide') {
      this.#element.hidden = name === 'hide';
      if (this.#element.hidden) (await this.#panel)?.close();
      return undefined;
    }
    if (name === 'getState') return { ...((await this.#panel)?.getState() ?? atRest), isHidden: this.#element.hidden };
    if (name === 'destroy') this.#element.remove();
    // What the page before has left is not read unless somebody talks, and must not wait for that.
    if (name === 'signOut') clearEntry(this.#start.scriptUrl);
    if (this.#panel !== null || ['open', 'toggle', 'send', 'startTour'].includes(name)) {
      return apply(await this.#loaded(), [name, values]);
    }
    this.#waiting.push([name, values]);
    return undefined;
  }

  /** Takes display options from the page; see `overrideDisplay`. */
  async init(chosen: Readonly<Record<string, unknown>>): Promise<void> {
    this.#chosen = overrideDisplay(this.#chosen, chosen);
    await this.#redraw();
  }

  async #redraw(): Promise<void> {
    const display = (this.#display = followPage(this.#chosen));
    this.#draw();
    const panel = await this.#panel;
    if (panel === null) this.#showLauncher('');
    else {
      const { texts } = await this.#chunks(display.language);
      // Texts may take longer than the next choice.
      if (display === this.#display) panel.redraw(display, texts);
    }
  }

  #draw(): void {
    const { theme, position, primaryColor } = this.#display;
    this.#root.className = `root theme-${theme} at-${position}`;
    // Through the object model: a `style` attribute would need the page's leave (Content-Security-Policy).
    this.#root.style.setProperty('--helper-accent', primaryColor ?? null);
  }

  #showLauncher(warning: string): void {
    const label = launcherTexts[this.#display.language] + warning;
    this.#launcher.show({ isOpen: false, hasNews: false, label });
  }

  #loaded(): Promise<Panel> {
    this.#panel ??= this.#load().catch((error: unknown) => {
      this.#panel = null;
      // A sign and no words: this can be said before any text has been loaded.
      this.#showLauncher(' ⚠');
      throw error;
    });
    return this.#panel;
  }

  async #load(): Promise<Panel> {
    const { classList } = this.#launcher.button;
    classList.add('is-busy');
    try {
      const chunks = await this.#chunks(this.#display.language);
      const host = {
        ...this.#start,
        element: this.#element,
        root: this.#root,
        shadow: this.#shadow,
        launcher: this.#launcher,
      };
      const panel = chunks.panel.createPanel(host, this.#display, chunks.texts);
      // A wrong call is its page's fault, and no reason to be without a panel.
      for (const call of this.#waiting) await apply(panel, call).catch(() => 0);
      return panel;
    } finally {
      classList.remove('is-busy');
    }
  }
}

/** What a panel that nobody has asked for would say. */
const atRest: ReturnType<Panel['getState']> = {
  isOpen: false,
  isRunning: false,
  openConfirmations: 0,
  unread: 0,
  connection: 'idle',
};

/** The page's values go to the panel as they are: what they may be is the panel's to check. */
async function apply(panel: Panel, [name, values]: readonly [keyof Panel, unknown[]]): Promise<unknown> {
  return await (panel[name] as (...values: unknown[]) => unknown).apply(panel, values); // every member is a method
}
