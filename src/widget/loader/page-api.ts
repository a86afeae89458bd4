import type { HelperWidgetApi } from '../page-types.ts';
import type { Widget, WidgetCall } from './widget.ts';

type Listener = (detail: never, event: Event) => void;

/** What a page may call; what it gives is the panel's to check. */
const calls = [
  'open',
  'close',
  'toggle',
  'show',
  'hide',
  'send',
  'stop',
  'newConversation',
  'setContext',
  'clearContext',
  'registerAction',
  'setNavigator',
  'setTokenProvider',
  'signOut',
  'startTour',
  'getState',
  'destroy',
] as const satisfies readonly (WidgetCall & keyof HelperWidgetApi)[];

/** The page's handle on a widget that may not be attached yet. */
export function createPageApi(attached: Promise<Widget>): HelperWidgetApi {
  const listeners = new Map<Listener, EventListener>();
  const methods = Object.fromEntries(
    calls.map((name) => [name, async (...values: unknown[]) => (await attached).run(name, values)]),
  ) as unknown as Pick<HelperWidgetApi, (typeof calls)[number]>; // one entry per name
  const api: HelperWidgetApi = {
    init: async (chosen) => (await attached).init({ ...chosen }),
    setTheme: (theme) => api.init({ theme }),
    setLanguage: (language) => api.init({ language }),
    ...methods,
    on(name, listener) {
      const heard: EventListener =
        listeners.get(listener) ?? ((event) => listener((event as CustomEvent<never>).detail, event)); // ours all are
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
