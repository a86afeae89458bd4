import type { ClientSettings } from '../wire/client-settings.ts';
import type { PageAction } from './conversation/page-actions.ts';
import type { DisplayOptions } from './display-options.ts';
import type { HostContext, NavigationDetail, WidgetState } from './page-types.ts';
import type { WidgetTexts } from './texts/widget-texts.ts';
import type { FallbackTransports } from './transport/signalr/hub-options.ts';

/** What the loader lends the panel chunk. */
export interface PanelHost {
  /** The `<helper-widget>` element: events are dispatched on it. */
  readonly element: HTMLElement;
  /** The box inside the shadow root that holds the launcher and takes the panel. */
  readonly root: HTMLElement;
  readonly shadow: ShadowRoot;
  readonly settings: ClientSettings;
  /** Address of `widget.js`: every path of the server is resolved against it. */
  readonly scriptUrl: string;
  /** The page is nothing but the panel: it begins open, fills the page and never leaves it. */
  readonly isPage?: boolean;
  readonly launcher: {
    readonly button: HTMLButtonElement;
    show(state: LauncherState): void;
  };
}

/** What the launcher shows: whether the panel is open, and whether something new waits in a closed one. */
export interface LauncherState {
  readonly isOpen: boolean;
  readonly hasNews: boolean;
  readonly label: string;
}

/** The panel as the loader drives it; the page's calls arrive as the page made them. */
export interface Panel {
  open(): void;
  close(): void;
  toggle(): void;
  /** Opens the panel and resolves when the turn has ended. */
  send(text: string): Promise<void>;
  stop(): Promise<void>;
  newConversation(): Promise<void>;
  /** Merged key by key. @throws RangeError when the data are larger than the server takes. */
  setContext(context: HostContext): void;
  /** Only path and title are told from now on. */
  clearContext(): void;
  /** Offers an action to the assistant; null takes it back. @throws TypeError when it is none. */
  registerAction(name: string, action: PageAction | null): void;
  /** Goes to pages in place of a page load; null takes it back. @throws TypeError when it is no function. */
  setNavigator(navigator: ((to: NavigationDetail) => unknown) | null): void;
  /** Shows the user around. Rejects when there is no tour. */
  startTour(): Promise<void>;
  getState(): Omit<WidgetState, 'isHidden'>;
  /** Where the token of the page's user comes from; null signs out. Resolves when a conversation of another user is gone. */
  setTokenProvider(provider: (() => unknown) | null): Promise<void>;
  /** The user leaves: the transcript and whatever the tab keeps of it go. */
  signOut(): Promise<void>;
  redraw(display: DisplayOptions, texts: WidgetTexts): void;
  destroy(): void;
}

/** What the panel chunk exports. */
export interface PanelModule {
  readonly createPanel: (host: PanelHost, display: DisplayOptions, texts: WidgetTexts) => Panel;
}

/** What a `texts-…` chunk exports. */
export interface TextsModule {
  readonly texts: WidgetTexts;
}

/** What the `fallback-…` chunk exports. */
export interface FallbackModule {
  readonly transports: FallbackTransports;
  readonly styles?: string;
}
