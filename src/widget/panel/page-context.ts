import type { PageContext } from '../../wire/hub-methods.ts';
import type { HostContext } from '../widget-contract.ts';

/** What travels with a message: what the page said about itself, its path and its title, nothing else. */
export function pageContext({ pageName, pageData }: HostContext): PageContext {
  const { title } = document;
  // A long title is no reason to lose a message: the server takes no more than this.
  return {
    name: (pageName ?? (title === '' ? location.pathname : title)).slice(0, 200),
    title: title.slice(0, 500),
    url: location.pathname.slice(0, 2048),
    ...(pageData === undefined ? {} : { data: pageData }),
  };
}
