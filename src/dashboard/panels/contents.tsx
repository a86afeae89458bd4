import type { JSX } from 'preact';
import type { AdminMetrics } from '../../wire/admin-metrics.ts';
import type { PageContext } from '../page-context.ts';
import { tableGroupsOf } from './range-tables.ts';

/** Links to the sections of the page, and what to do while there are no figures. */
export function Contents({
  context,
  metrics,
}: {
  readonly context: PageContext;
  readonly metrics: AdminMetrics;
}): JSX.Element {
  const { texts } = context;
  const sections = [
    ['live', texts.now],
    ['switch', texts.killSwitch],
    ['range', texts.inRange],
    ['charts', texts.trends],
    ...tableGroupsOf(context, metrics).map(({ name }) => [name, texts.groups[name]]),
    ...(metrics.server.hasSecurityLog ? [['security', texts.securityLog] as const] : []),
    ['about', texts.about],
  ] as const;
  return (
    <>
      <nav class="contents" aria-label={texts.contents}>
        <ul>
          {sections.map(([name, title]) => (
            <li key={name}>
              <a href={`#${name}-title`}>{title}</a>
            </li>
          ))}
        </ul>
      </nav>
      {metrics.totals.turns > 0 ? null : <p class="panel first-steps">{texts.firstSteps}</p>}
    </>
  );
}
