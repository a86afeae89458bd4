import { isEndpoint } from '../nodes/own-endpoints.ts';
import type { NavigationDetail } from '../page-types.ts';
import type { PanelHost } from '../widget-contract.ts';
import { linkRules } from './link-rules.ts';
import type { HostEvents } from './host-events.ts';

type Navigator = (to: NavigationDetail) => unknown;

/**
 * Sends the user to a page. The page is asked first (`helper:navigate`, cancelable), so that a single-page application can open the
 * address itself. The navigator that the page has set comes next. Otherwise an address of the page's own origin is opened once the turn
 * has ended, because leaving the page earlier would end the answer. An address of another origin is opened only by a click.
 */
export class Navigation {
  readonly #events: HostEvents;
  readonly #host: PanelHost;
  #navigator: Navigator | null = null;
  #waiting: string | null = null;

  /** Where the panel fills the page, the page is never left. */
  constructor(events: HostEvents, host: PanelHost) {
    this.#events = events;
    this.#host = host;
  }

  /**
   * Sets the page's function.
   * @throws TypeError for anything but a function, because the page's code may have got it wrong.
   */
  use(navigator: unknown): void {
    if (navigator !== null && typeof navigator !== 'function')
      throw new TypeError('setNavigator takes a function or null');
    this.#navigator = navigator as Navigator | null; // it is a function or null
  }

  /** True when the page handles the address or the end of the turn will. With false the user gets a link. */
  request({ url, page, title }: NavigationDetail): boolean {
    // An endpoint of the server is no page of the application.
    if (isEndpoint(url, linkRules(this.#host))) return false;
    if (!this.#events.dispatch('navigate', { url, page, title }, true)) return true;
    if (this.#navigator !== null) {
      // A fault of the page's function shows in the page's console, and stops nothing here.
      void Promise.resolve({ url, page, title }).then(this.#navigator);
      return true;
    }
    const address = URL.canParse(url, document.baseURI) ? new URL(url, document.baseURI) : null;
    if (this.#host.isPage === true || address?.origin !== location.origin) return false;
    this.#waiting = address.href;
    return true;
  }

  /** Drops the address of a conversation that was put aside. */
  forget(): void {
    this.#waiting = null;
  }

  /** Opens the address at once, because the user asked for it. With false the clicked link opens it. */
  open(to: NavigationDetail): boolean {
    const isTaken = this.request(to);
    if (isTaken) this.go();
    return isTaken;
  }

  /** Opens the waiting address at the end of the turn. */
  go(): void {
    if (this.#waiting !== null) location.assign(this.#waiting);
    this.#waiting = null;
  }
}
