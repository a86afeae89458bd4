/**
 * The types for pages (docs/guides/widget.md). `import type {} from 'helper/widget'` makes `window.HelperWidget` and the events known to
 * TypeScript.
 */
import type { PageAction } from './conversation/page-actions.ts';

export type { PageAction } from './conversation/page-actions.ts';

/** The choices of a page. Names are matched without regard to case. An impossible value changes nothing. */
export interface WidgetChoices {
  readonly language?: string;
  readonly theme?: string;
  readonly position?: string;
  /** A hex colour. */
  readonly primaryColor?: string;
  readonly botName?: string;
  /** Plain text; HTML is shown as text. */
  readonly welcomeMessage?: string;
  /** An address, which may be relative to the page. */
  readonly avatarUrl?: string;
  readonly inputPlaceholder?: string;
}

/** What a page tells about itself. It travels with each message as data, never as instructions (contract/hub.md). */
export interface HostContext {
  /** An empty name: nothing of the page is sent. */
  readonly pageName?: string;
  /** Tells the assistant where the user is. If it is left out, the assistant gets the title of the page with the widget. */
  readonly pageTitle?: string;
  readonly pageUrl?: string;
  /** At most 8 KiB of JSON. */
  readonly pageData?: unknown;
}

/** The place to which the assistant wants to send the user. */
export interface NavigationDetail {
  readonly url: string;
  readonly page: string;
  readonly title: string;
}

/** What the widget is doing. */
export interface WidgetState {
  readonly isOpen: boolean;
  /** Whether the page has hidden the widget. */
  readonly isHidden: boolean;
  /** Whether an answer is being written or waits for the user. */
  readonly isRunning: boolean;
  readonly openConfirmations: number;
  /** The number of answers and questions that came while the panel was closed. */
  readonly unread: number;
  readonly connection: 'idle' | 'connecting' | 'connected' | 'reconnecting' | 'lost' | 'signed-out';
}

/** The `detail` of each event `helper:NAME`. */
export interface WidgetEvents {
  readonly ready: null;
  readonly open: null;
  readonly close: null;
  readonly message: { readonly text: string };
  readonly reply: { readonly text: string; readonly status: 'completed' | 'stopped' | 'refused' | 'failed' };
  readonly action: { readonly action: string; readonly status: string; readonly callId: string };
  readonly card: { readonly cardId: string; readonly card: unknown };
  readonly confirmation: { readonly actionId: string; readonly action?: string; readonly outcome: string | null };
  readonly navigate: NavigationDetail;
  readonly uiaction: { readonly name: string };
  readonly unread: { readonly count: number };
  readonly status: { readonly connection: WidgetState['connection'] };
  readonly error: { readonly code: string; readonly message: string };
}

/** `window.HelperWidget`. Every method waits for the widget, so an early call is not lost. */
export interface HelperWidgetApi {
  readonly init: (chosen: WidgetChoices) => Promise<void>;
  readonly open: () => Promise<void>;
  readonly close: () => Promise<void>;
  readonly toggle: () => Promise<void>;
  /** Shows the launcher again. */
  readonly show: () => Promise<void>;
  /** Hides the launcher and the panel. The conversation stays. */
  readonly hide: () => Promise<void>;
  /** Opens the panel and sends the text. Resolves when the answer has ended. */
  readonly send: (text: string) => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly newConversation: () => Promise<void>;
  /** Merges the context key by key. Rejects when the data are larger than the server takes. */
  readonly setContext: (context: HostContext) => Promise<void>;
  readonly clearContext: () => Promise<void>;
  readonly setTheme: (theme: string) => Promise<void>;
  readonly setLanguage: (language: string) => Promise<void>;
  /** Offers the assistant an action of the page; null withdraws it. Rejects when the value is no action. */
  readonly registerAction: (name: string, action: PageAction | null) => Promise<void>;
  /** Sets the function that opens pages of the application without a page load; null removes it. */
  readonly setNavigator: (navigator: ((to: NavigationDetail) => unknown) | null) => Promise<void>;
  /**
   * Sets the function that returns the user's token whenever the server has to know the user; null signs out
   * (contract/widget.md#who-is-signed-in).
   */
  readonly setTokenProvider: (provider: (() => unknown) | null) => Promise<void>;
  /** Signs the user out and deletes the conversation from this tab. */
  readonly signOut: () => Promise<void>;
  /** Shows the user around (`enableOnboardingTour`). Rejects when there is no tour. */
  readonly startTour: () => Promise<void>;
  readonly getState: () => Promise<WidgetState>;
  readonly destroy: () => Promise<void>;
  /** Listens to `helper:NAME`. Calling the result removes the listener. */
  readonly on: <Name extends keyof WidgetEvents>(
    name: Name,
    listener: (detail: WidgetEvents[Name], event: Event) => void,
  ) => () => void;
  readonly off: <Name extends keyof WidgetEvents>(
    name: Name,
    listener: (detail: WidgetEvents[Name], event: Event) => void,
  ) => void;
  /** Takes calls as data, such as `["open"]`. The page's stub does the same before the script has loaded. */
  readonly q: { readonly push: (...calls: readonly unknown[]) => void };
}

declare global {
  interface Window {
    HelperWidget?: HelperWidgetApi | { readonly q?: readonly unknown[] };
  }
}
