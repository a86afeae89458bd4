import type { Panel } from '../widget-contract.ts';
import type { Widget } from './widget.ts';

type Listener = (detail: unknown, event: Event) => void;

/** `window.HelperWidget`: what a page calls. Every method waits for the widget, so nothing is lost by calling early. */
export interface PageApi {
  readonly init: (chosen: Readonly<Record<string, unknown>>) => Promise<void>;
  readonly open: () => Promise<void>;
  readonly close: () => Promise<void>;
  readonly toggle: () => Promise<void>;
  /** Opens the panel, sends, and resolves when the answer has ended. */
  readonly send: (text: string) => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly newConversation: () => Promise<void>;
  /** Merged key by key. Rejects when the data are larger than the server takes. */
  readonly setContext: (context: Parameters<Panel['setContext']>[0]) => Promise<void>;
  /** Offers the assistant something the page can do; null takes it back. Rejects when it is no action. */
  readonly registerAction: (...action: Parameters<Panel['registerAction']>) => Promise<void>;
  /** Asked for the token of the page's user whenever the server has to know it; null signs out (service.md 2.20). */
  readonly setTokenProvider: (provider: Parameters<Panel['setTokenProvider']>[0]) => Promise<void>;
  /** The user leaves: nothing of what was said stays in this tab. */
  readonly signOut: () => Promise<void>;
  readonly destroy: () => Promise<void>;
  /** Listens to `helper:NAME`; the result takes the listener away again. */
  readonly on: (name: string, listener: Listener) => () => void;
  readonly off: (name: string, listener: Listener) => void;
  /** Takes calls as data, as the stub did before the script had loaded: `["open"]`. */
  readonly q: { readonly push: (...calls: readonly unknown[]) => void };
}

/** What a page may call of the panel; what it gives is the panel's to check. */
const panelCalls = [
  'open',
  'close',
  'toggle',
  'send',
  'stop',
  'newConversation',
  'setContext',
  'registerAction',
  'setTokenProvider',
  'signOut',
  'destroy',
] as const satisfies readonly (keyof Panel & keyof PageApi)[];

/** The page's handle on a widget that may not be attached yet. */
export function createPageApi(attached: Promise<Widget>): PageApi {
  const listeners = new Map<Listener, EventListener>();
  const calls = Object.fromEntries(
    panelCalls.map((name) => [name, async (...values: unknown[]) => (await attached).run(name, values)]),
  ) as Pick<PageApi, (typeof panelCalls)[number]>; // one entry per name
  const api: PageApi = {
    init: async (chosen) => (await attached).init(chosen),
    ...calls,
    on(name, listener) {
      const heard: EventListener = (event) => listener((event as CustomEvent<unknown>).detail, event); // ours all are
      listeners.set(listener, heard);
      // The events bubble out of the element, so the document hears those of a widget that comes later too.
      document.addEventListener(`helper:${name}`, heard);
      return () => api.off(name, listener);
    },
    off(name, listener) {
      const heard = listeners.get(listener);
      if (heard) document.removeEventListener(`helper:${name}`, heard);
    },
    q: { push: (...calls) => calls.forEach(replay) },
  };
  /** What is no call is skipped: the queue is the page's own. */
  const replay = (queued: unknown): void => {
    const [name, ...values] = Array.isArray(queued) ? (queued as unknown[]) : []; // a list of whatever it holds
    const methods = api as unknown as Readonly<Record<string, (...values: unknown[]) => unknown>>; // or calling it fails
    void (async () => await methods[String(name)]?.(...values))().catch(() => 0);
  };
  return api;
}
