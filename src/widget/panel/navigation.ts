import type { NavigationDetail } from '../page-types.ts';
import type { HostEvents } from './host-events.ts';

type Navigator = (to: NavigationDetail) => unknown;

/**
 * Sends the user to a page. The page is asked first (`helper:navigate`, cancelable), so that a single-page application
 * goes there by itself, then the navigator it has set; otherwise an address of the page's own origin is opened once the turn has ended, because leaving
 * earlier would end the answer. Addresses elsewhere are never opened without a click.
 */
export class Navigation {
  readonly #events: HostEvents;
  readonly #isPage: boolean;
  #navigator: Navigator | null = null;
  #waiting: string | null = null;

  /** `isPage`: the page is the panel's own and is never left. */
  constructor(events: HostEvents, isPage = false) {
    this.#events = events;
    this.#isPage = isPage;
  }

  /** @throws TypeError when it is no function: the page's own code may be wrong about it. */
  use(navigator: unknown): void {
    if (navigator !== null && typeof navigator !== 'function')
      throw new TypeError('setNavigator takes a function or null');
    this.#navigator = navigator as Navigator | null; // a function, whatever it does
  }

  /** True when it is taken care of, by the page or at the end of the turn; false leaves a link to click. */
  request({ url, page, title }: NavigationDetail): boolean {
    if (!this.#events.dispatch('navigate', { url, page, title }, true)) return true;
    if (this.#navigator !== null) {
      // What the page's function does wrong is seen in the page's console, and ends nothing here.
      void Promise.resolve({ url, page, title }).then(this.#navigator);
      return true;
    }
    const address = URL.canParse(url, document.baseURI) ? new URL(url, document.baseURI) : null;
    if (this.#isPage || address?.origin !== location.origin) return false;
    this.#waiting = address.href;
    return true;
  }

  /** Nobody wants to be sent anywhere by what was put aside. */
  forget(): void {
    this.#waiting = null;
  }

  /** At once, because the user has asked for it; false leaves it to the link that was clicked. */
  open(to: NavigationDetail): boolean {
    const isTaken = this.request(to);
    if (isTaken) this.go();
    return isTaken;
  }

  /** The turn has ended. */
  go(): void {
    if (this.#waiting !== null) location.assign(this.#waiting);
    this.#waiting = null;
  }
}
