import { longestSelector, type Page, placements } from '../../../core/pages/page.ts';
import type { PageDefinition } from '../../../plugin-api/plugin.ts';
import { hasMembers } from '../../shared/members.ts';
import { pageUrlFault } from '../../shared/page-url-fault.ts';
import type { ReportFault } from '../fault-report.ts';
import { MemberReader } from './member-reader.ts';

const pageMembers = [
  'name',
  'title',
  'url',
  'description',
  'query',
  'requiredRoles',
  'selector',
  'placement',
] as const satisfies readonly (keyof PageDefinition)[];

/** Reads a page that the model may send the user to (contract/plugins.md#plugins, `pages`). */
export function readPage(page: unknown, report: ReportFault): Page | undefined {
  if (!hasMembers(page)) {
    report('', 'must be an object');
    return undefined;
  }
  const reader = new MemberReader(page, report);
  reader.allowOnly(pageMembers);
  const url = reader.text('url');
  const fault = url === '' ? undefined : pageUrlFault(url);
  if (fault !== undefined) report('url', fault);
  const selector = reader.optionalText('selector');
  if (selector !== undefined && selector.length > longestSelector)
    report('selector', `must not be longer than ${String(longestSelector)} characters`);
  const placed = reader.optionalText('placement');
  const placement = placements.find((known) => known === placed);
  if (placed !== undefined && placement === undefined) report('placement', `must be one of ${placements.join(', ')}`);
  const query = reader.texts('query');
  return {
    name: reader.text('name'),
    title: reader.text('title'),
    url,
    description: reader.text('description'),
    requiredRoles: reader.texts('requiredRoles'),
    ...(query.length === 0 ? {} : { query }),
    ...(selector === undefined ? {} : { selector }),
    ...(placement === undefined ? {} : { placement }),
  };
}
