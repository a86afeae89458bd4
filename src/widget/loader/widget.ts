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

/** The calls of a page: those about the launcher, and those that the panel carries out. */
export type WidgetCall = keyof Panel | 'show' | 'hide';

/** The widget of one page. Draws the launcher at once. Fetches the panel when somebody is about to talk. */
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
  /** Calls that wait for the panel without fetching it. */
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
    // The browser fetches a module once, however often it is imported.
    button.onpointerenter = button.onfocus = preload;
    // A failure to load shows on the launcher.
    button.onclick = () => void this.run('toggle', []).catch(() => 0);
    if (readEntry(start.scriptUrl)[0] === urgent) void this.#loaded().catch(() => 0);
    watchPage(() => {
      const { theme, language } = followPage(this.#chosen);
      if (theme !== this.#display.theme || language !== this.#display.language) void this.#redraw().catch(() => 0);
    });
  }

  /** Makes a call of the panel. A call that opens the panel fetches it. Any other call waits until the panel is there. */
  async run(name: WidgetCall, values: unknown[]): Promise<unknown> {
    if (name === 'show' || name === 'hide') {
      this.#element.hidden = name === 'hide';
      if (this.#element.hidden) (await this.#panel)?.close();
      return undefined;
    }
    if (name === 'getState') return { ...((await this.#panel)?.getState() ?? atRest), isHidden: this.#element.hidden };
    if (name === 'destroy') this.#element.remove();
    // The conversation of the page before is read only when somebody talks. Signing out removes it without waiting for that.
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
      // A later choice may overtake texts that load slowly.
      if (display === this.#display) panel.redraw(display, texts);
    }
  }

  #draw(): void {
    const { theme, position, primaryColor } = this.#display;
    this.#root.className = `root theme-${theme} at-${position}`;
    // The object model needs no permission of the page's Content-Security-Policy. A `style` attribute would need it.
    this.#root.style.setProperty('--helper-accent', primaryColor ?? null);
  }

  #showLauncher(warning: string): void {
    const label = launcherTexts[this.#display.language] + warning;
    this.#launcher.show({ isOpen: false, label });
  }

  #loaded(): Promise<Panel> {
    this.#panel ??= this.#load().catch((error: unknown) => {
      this.#panel = null;
      // The sign needs no words, so it works before any text has loaded.
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
      // A faulty call is the page's fault, and the panel still opens.
      for (const call of this.#waiting) await apply(panel, call).catch(() => 0);
      return panel;
    } finally {
      classList.remove('is-busy');
    }
  }
}

/** The state of a panel that nobody has opened. */
const atRest: ReturnType<Panel['getState']> = {
  isOpen: false,
  isRunning: false,
  openConfirmations: 0,
  unread: 0,
  connection: 'idle',
};

/** Hands the page's values to the panel, which checks them. */
async function apply(panel: Panel, [name, values]: readonly [keyof Panel, unknown[]]): Promise<unknown> {
  return await (panel[name] as (...values: unknown[]) => unknown).apply(panel, values); // every member of the panel is a method
}
