import type { PageContext } from '../../wire/hub-methods.ts';
import type { HostContext } from '../page-types.ts';

/** contract/ui-actions.md. */
const largestPageData = 8 * 1024;

/** What travels with a message: what the page said about itself, its path and its title, nothing else. */
export class HostPage {
  readonly #isPage: boolean;
  #told: HostContext = {};

  /** `isPage`: the page is the panel's own and says nothing about where the user is. */
  constructor(isPage = false) {
    this.#isPage = isPage;
  }

  /** Merged key by key. @throws RangeError when the data are larger than the server takes. */
  tell(context: HostContext): void {
    const { byteLength } = new TextEncoder().encode(JSON.stringify(context.pageData ?? null));
    if (byteLength > largestPageData) throw new RangeError('pageData is larger than 8 KiB of JSON');
    this.#told = { ...this.#told, ...context };
  }

  /** Only path and title from now on. */
  forget(): void {
    this.#told = {};
  }

  get context(): PageContext | undefined {
    const { pageName, pageTitle, pageUrl, pageData } = this.#told;
    if (this.#isPage && pageName === undefined) return undefined;
    const title = pageTitle ?? (this.#isPage ? '' : document.title);
    const url = pageUrl ?? (this.#isPage ? '' : location.pathname);
    // A long title is no reason to lose a message: the server takes no more than this.
    return {
      name: (pageName ?? (title === '' ? location.pathname : title)).slice(0, 200),
      title: title.slice(0, 500),
      url: url.slice(0, 2048),
      ...(pageData === undefined ? {} : { data: pageData }),
    };
  }
}
