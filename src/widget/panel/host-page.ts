import type { PageContext } from '../../wire/hub-methods.ts';
import type { HostContext } from '../page-types.ts';
import { toJson } from '../transport/signalr/to-json.ts';

/** Bytes of JSON (contract/ui-actions.md). */
const largestPageData = 8 * 1024;

/**
 * The context of the page that goes with each message: what the page has told about itself, its path and its title. Nothing else of the
 * page is sent, and nothing at all of a page that has given itself an empty name.
 */
export class HostPage {
  readonly #isPage: boolean;
  #told: HostContext = {};
  /** What stands in front of the page's own title. */
  #mark = '';

  /** With `isPage` the panel fills the page. The path and the title of that page say nothing about where the user is. */
  constructor(isPage = false) {
    this.#isPage = isPage;
  }

  /**
   * Merges the context key by key.
   * @throws RangeError when the data are larger than the server takes.
   */
  tell(context: HostContext): void {
    const { byteLength } = new TextEncoder().encode(toJson(context.pageData ?? null));
    if (byteLength > largestPageData) throw new RangeError('pageData is larger than 8 KiB of JSON');
    this.#told = { ...this.#told, ...context };
  }

  /** Says in front of the page's title how many questions wait, for a user who looks at another tab. */
  mark(waiting: number): void {
    if (this.#isPage) return;
    const title = this.#title;
    this.#mark = waiting > 0 ? `(${String(waiting)}) ` : '';
    const marked = this.#mark + title;
    if (marked !== document.title) document.title = marked;
  }

  get #title(): string {
    const { title } = document;
    // The page may have set another title since.
    return title.startsWith(this.#mark) ? title.slice(this.#mark.length) : title;
  }

  /** Drops what the page has told. Path and title remain. */
  forget(): void {
    this.#told = {};
  }

  get context(): PageContext | undefined {
    const { pageName, pageTitle, pageUrl, pageData } = this.#told;
    // An empty name replaces what the server knows of an earlier page. Without a context the server would keep it.
    if (pageName === '') return { name: '' };
    if (this.#isPage && pageName === undefined) return undefined;
    const title = pageTitle ?? (this.#isPage ? '' : this.#title);
    const url = pageUrl ?? (this.#isPage ? '' : location.pathname);
    // The server refuses longer texts. A shortened title is better than a lost message.
    return {
      name: (pageName ?? (title === '' ? location.pathname : title)).slice(0, 200),
      title: title.slice(0, 500),
      url: url.slice(0, 2048),
      ...(pageData === undefined ? {} : { data: pageData }),
    };
  }
}
