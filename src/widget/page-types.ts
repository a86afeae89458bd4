/**
 * What a page may use of the widget (docs/guides/widget.md): `import type {} from 'helper/widget'` makes `window.HelperWidget` and the
 * events known to TypeScript.
 */
import type { PageAction } from './conversation/page-actions.ts';

export type { PageAction } from './conversation/page-actions.ts';

/** What a page may choose; names are matched without regard to case, and what is not possible changes nothing. */
export interface WidgetChoices {
  readonly language?: string;
  readonly theme?: string;
  readonly position?: string;
  /** Hex colour. */
  readonly primaryColor?: string;
  readonly botName?: string;
  /** Text, not HTML. */
  readonly welcomeMessage?: string;
  /** Relative to the page. */
  readonly avatarUrl?: string;
  readonly inputPlaceholder?: string;
}

/** What a page tells about itself; it travels with each message as data, never as instructions (contract/hub.md). */
export interface HostContext {
  readonly pageName?: string;
  /** Where the assistant is told the user is; the title and the path of the page that holds the widget unless set. */
  readonly pageTitle?: string;
  readonly pageUrl?: string;
  /** At most 8 KiB of JSON. */
  readonly pageData?: unknown;
}

/** Where the assistant wants the user to go. */
export interface NavigationDetail {
  readonly url: string;
  readonly page: string;
  readonly title: string;
}

/** What the widget is doing. */
export interface WidgetState {
  readonly isOpen: boolean;
  /** The page has hidden it. */
  readonly isHidden: boolean;
  /** An answer is being written, or waits for the user. */
  readonly isRunning: boolean;
  readonly openConfirmations: number;
  /** Answers and questions that came while the panel was closed. */
  readonly unread: number;
  readonly connection: 'idle' | 'connecting' | 'connected' | 'reconnecting' | 'lost';
}

/** `detail` of each event `helper:NAME`. */
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

/** `window.HelperWidget`. Every method waits for the widget, so nothing is lost by calling early. */
export interface HelperWidgetApi {
  readonly init: (chosen: WidgetChoices) => Promise<void>;
  readonly open: () => Promise<void>;
  readonly close: () => Promise<void>;
  readonly toggle: () => Promise<void>;
  /** Shows the launcher again. */
  readonly show: () => Promise<void>;
  /** Takes launcher and panel off the screen; the conversation stays. */
  readonly hide: () => Promise<void>;
  /** Opens the panel, sends, and resolves when the answer has ended. */
  readonly send: (text: string) => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly newConversation: () => Promise<void>;
  /** Merged key by key. Rejects when the data are larger than the server takes. */
  readonly setContext: (context: HostContext) => Promise<void>;
  readonly clearContext: () => Promise<void>;
  readonly setTheme: (theme: string) => Promise<void>;
  readonly setLanguage: (language: string) => Promise<void>;
  /** Offers the assistant something the page can do; null takes it back. Rejects when it is no action. */
  readonly registerAction: (name: string, action: PageAction | null) => Promise<void>;
  /** Goes to pages of the application in place of a page load; null takes it back. */
  readonly setNavigator: (navigator: ((to: NavigationDetail) => unknown) | null) => Promise<void>;
  /** Asked for the token of the page's user whenever the server has to know it; null signs out (contract/widget.md#who-is-signed-in). */
  readonly setTokenProvider: (provider: (() => unknown) | null) => Promise<void>;
  /** The user leaves: nothing of what was said stays in this tab. */
  readonly signOut: () => Promise<void>;
  /** Shows the user around (`enableOnboardingTour`). Rejects when there is no tour to be had. */
  readonly startTour: () => Promise<void>;
  readonly getState: () => Promise<WidgetState>;
  readonly destroy: () => Promise<void>;
  /** Listens to `helper:NAME`; the result takes the listener away again. */
  readonly on: <Name extends keyof WidgetEvents>(
    name: Name,
    listener: (detail: WidgetEvents[Name], event: Event) => void,
  ) => () => void;
  readonly off: <Name extends keyof WidgetEvents>(
    name: Name,
    listener: (detail: WidgetEvents[Name], event: Event) => void,
  ) => void;
  /** Takes calls as data, as the stub did before the script had loaded: `["open"]`. */
  readonly q: { readonly push: (...calls: readonly unknown[]) => void };
}

declare global {
  interface Window {
    HelperWidget?: HelperWidgetApi | { readonly q?: readonly unknown[] };
  }
}
