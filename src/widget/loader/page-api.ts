import type { HelperWidgetApi } from '../page-types.ts';
import type { Widget, WidgetCall } from './widget.ts';

type Listener = (detail: never, event: Event) => void;

/** The calls that a page may make. The panel checks their values. */
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

/** The page's handle on a widget, which may not be attached yet. */
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
        listeners.get(listener) ?? ((event) => listener((event as CustomEvent<never>).detail, event)); // every event of the widget is one
      listeners.set(listener, heard);
      // The events bubble out of the element, so the document also hears those of a widget that is attached later.
      document.addEventListener(`helper:${name}`, heard);
      return () => api.off(name, listener);
    },
    off(name, listener) {
      const heard = listeners.get(listener);
      if (heard) document.removeEventListener(`helper:${name}`, heard);
    },
    q: { push: (...calls) => calls.forEach(replay) },
  };
  /** Makes a queued call. The page owns the queue, so an entry that is no call is skipped. */
  const replay = (queued: unknown): void => {
    const [name, ...values] = Array.isArray(queued) ? (queued as unknown[]) : []; // the entries may be anything
    const methods = api as unknown as Readonly<Record<string, (...values: unknown[]) => unknown>>; // an unknown name makes the call fail
    void (async () => await methods[String(name)]?.(...values))().catch(() => 0);
  };
  return api;
}
