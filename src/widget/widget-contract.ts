import type { ClientSettings } from '../wire/client-settings.ts';
import type { PageAction } from './conversation/page-actions.ts';
import type { DisplayOptions } from './display-options.ts';
import type { HostContext, NavigationDetail, WidgetState } from './page-types.ts';
import type { WidgetTexts } from './texts/widget-texts.ts';
import type { FallbackTransports } from './transport/signalr/hub-options.ts';

/** What the loader gives the panel chunk. */
export interface PanelHost {
  /** The `<helper-widget>` element, on which events are dispatched. */
  readonly element: HTMLElement;
  /** The element inside the shadow root that holds the launcher and takes the panel. */
  readonly root: HTMLElement;
  readonly shadow: ShadowRoot;
  readonly settings: ClientSettings;
  /** The address of `widget.js`. Every path of the server is resolved against it. */
  readonly scriptUrl: string;
  /** Whether the panel fills the page: it begins open and never leaves the page. */
  readonly isPage?: boolean;
  readonly launcher: {
    readonly button: HTMLButtonElement;
    show(state: LauncherState): void;
  };
}

/** What the launcher shows: whether the panel is open, and its name. */
export interface LauncherState {
  readonly isOpen: boolean;
  readonly label: string;
}

/** The panel as the loader uses it. The page's calls arrive unchecked. */
export interface Panel {
  open(): void;
  close(): void;
  toggle(): void;
  /** Opens the panel and sends the text. Resolves when the turn has ended. */
  send(text: string): Promise<void>;
  stop(): Promise<void>;
  newConversation(): Promise<void>;
  /**
   * Merges the context key by key.
   * @throws RangeError when the data are larger than the server takes.
   */
  setContext(context: HostContext): void;
  /** Drops what the page has told. Path and title remain. */
  clearContext(): void;
  /**
   * Offers an action to the assistant; null withdraws it.
   * @throws TypeError when the value is no action.
   */
  registerAction(name: string, action: PageAction | null): void;
  /**
   * Sets the function that opens pages without a page load; null removes it.
   * @throws TypeError when the value is no function.
   */
  setNavigator(navigator: ((to: NavigationDetail) => unknown) | null): void;
  /** Shows the user around. Rejects when there is no tour. */
  startTour(): Promise<void>;
  getState(): Omit<WidgetState, 'isHidden'>;
  /** Sets the source of the user's token; null signs out. Resolves when a conversation of another user is gone. */
  setTokenProvider(provider: (() => unknown) | null): Promise<void>;
  /** Signs the user out, and deletes the transcript and everything that the tab keeps of it. */
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
