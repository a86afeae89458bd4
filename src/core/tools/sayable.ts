import type { Restricted } from '../identity/may-read.ts';
import type { Page } from '../pages/page.ts';
import type { Tool } from './tool.ts';
import type { Toolbox } from './toolbox.ts';

/** What a user may be offered to say by its title alone. */
export interface Sayable {
  readonly tools: readonly Tool[];
  readonly pages: readonly Page[];
}

/** The actions that only read and the pages, of those that `isFor` lets through. What needs further details is left out. */
export function sayable(
  { tools, pages }: Pick<Toolbox, 'tools' | 'pages'>,
  isFor: (to: Restricted) => boolean,
): Sayable {
  return {
    tools: tools.filter(
      (tool) => tool.source !== 'built-in' && tool.readOnly === true && isFor(tool) && !needsDetails(tool),
    ),
    pages: pages.filter((page) => isFor(page) && !page.url.includes('{')),
  };
}

/** Whether a call needs details. The title of such an action alone does not give them. */
function needsDetails({ parameters }: Tool): boolean {
  return Array.isArray(parameters['required']) && parameters['required'].length > 0;
}
