import type { JSX } from 'preact';
import type { PageContext, Shown } from '../page-context.ts';

/** What serves, and what is kept of its figures. */
export function About({ context, shown }: { readonly context: PageContext; readonly shown: Shown }): JSX.Element {
  const { texts, formats } = context;
  const { live, server } = shown.metrics;
  const { savedAt, retentionMs } = live.storage;
  const facts: readonly (readonly [string, string])[] = [
    [texts.version, server.version],
    [texts.started, formats.moment(server.startedAt)],
    [texts.configuration, server.configuration],
    [texts.saved, savedAt === null ? texts.notYet : formats.moment(savedAt)],
    [texts.kept, formats.duration(retentionMs)],
    [texts.timeZone, formats.timeZone],
  ];
  return (
    <section aria-labelledby="about-title">
      <h2 id="about-title">{texts.about}</h2>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
      </dl>
      <p class="hint">{texts.asOf(formats.time(shown.readAt))}</p>
    </section>
  );
}
