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
  readonly destroy: () => Promise<void>;
  /** Listens to `helper:NAME`; the result takes the listener away again. */
  readonly on: (name: string, listener: Listener) => () => void;
  readonly off: (name: string, listener: Listener) => void;
  /** Takes calls as data, as the stub did before the script had loaded: `["open"]`. */
  readonly q: { readonly push: (...calls: readonly unknown[]) => void };
}

/** The page's handle on a widget that may not be attached yet. */
export function createPageApi(attached: Promise<Widget>): PageApi {
  const listeners = new Map<Listener, EventListener>();
  const call =
    (name: keyof Panel) =>
    async (...values: unknown[]): Promise<void> =>
      (await attached).run(name, values);
  const api: PageApi = {
    init: async (chosen) => (await attached).init(chosen),
    open: call('open'),
    close: call('close'),
    toggle: call('toggle'),
    send: call('send'),
    stop: call('stop'),
    newConversation: call('newConversation'),
    setContext: call('setContext'),
    registerAction: call('registerAction'),
    destroy: call('destroy'),
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
    const method: unknown = Reflect.get(api, String(name));
    if (typeof method === 'function') void Promise.resolve(Reflect.apply(method, api, values)).catch(() => 0);
  };
  return api;
}
