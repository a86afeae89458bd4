import { createHash } from 'node:crypto';
import type { ServerTexts } from '../language/server-texts.ts';
import { isForEverybody } from '../identity/may-read.ts';
import type { Page, Placement } from '../pages/page.ts';
import type { Tool } from '../tools/tool.ts';

/** One step of the onboarding tour (contract/widget.md#tour). The types of the channel check that it has the shape of `wire/tour.ts`. */
export interface TourStep {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly page?: string;
  readonly url?: string;
  readonly selector?: string;
  readonly placement?: Placement;
}

export interface Tour {
  readonly version: string;
  readonly steps: readonly TourStep[];
}

/** Most pages of a tour. Nobody reads a longer tour to its end. */
const mostPages = 20;
const mostActions = 8;
/** Most characters of a step's text. Descriptions are written for the model and may be long, so a step shows only the beginning. */
const longestText = 500;

/**
 * The onboarding tour: one step for each page, and one step about actions (contract/widget.md#tour). Everybody gets the same tour, so pages
 * and actions that need a role or a tenant are left out.
 */
export function buildTour(
  offered: { readonly pages: readonly Page[]; readonly tools: readonly Tool[] },
  texts: ServerTexts,
): Tour {
  const pages = offered.pages.filter(isForEverybody).slice(0, mostPages);
  const actions = offered.tools.filter(isForEverybody).filter(({ source }) => source === 'action' || source === 'tool');
  const steps = [...pages.map(pageStep), ...actionsStep(actions, texts)];
  return { version: versionOf(steps, actions), steps };
}

function pageStep({ name, title, description, url, selector, placement }: Page): TourStep {
  return {
    id: `page:${name}`,
    title,
    text: shortened(description),
    page: name,
    // An address with placeholders is left out, because it leads nowhere without their values.
    ...(url.includes('{') ? {} : { url }),
    ...(selector === undefined ? {} : { selector }),
    ...(placement === undefined ? {} : { placement }),
  };
}

function actionsStep(actions: readonly Tool[], texts: ServerTexts): readonly TourStep[] {
  if (actions.length === 0) return [];
  const titles = actions.slice(0, mostActions).map(({ title }) => title);
  if (actions.length > mostActions) titles.push('…');
  const text = texts.tourActionsText.replace('{actions}', () => titles.join(' · '));
  return [{ id: 'actions', title: texts.tourActionsTitle, text: shortened(text) }];
}

/** Changed words and another language do not make a tour new. Another page, element or action does. */
function versionOf(steps: readonly TourStep[], actions: readonly Tool[]): string {
  const shown = [steps.map(({ id, url, selector }) => [id, url, selector]), actions.map(({ name }) => name)];
  return createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 16);
}

function shortened(text: string): string {
  if (text.length <= longestText) return text;
  // Half of a surrogate pair at the cut would be shown as a question mark.
  return `${text.slice(0, longestText - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
