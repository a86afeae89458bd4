import type { JSX } from 'preact';
import type { PageContext, Shown } from '../page-context.ts';

/** The server that answers, and how it keeps its figures. */
export function About({ context, shown }: { readonly context: PageContext; readonly shown: Shown }): JSX.Element {
  const { texts, formats } = context;
  const { live, server, tenant } = shown.metrics;
  const { savedAt, retentionMs } = live.storage;
  const facts: readonly (readonly [string, string])[] = [
    ...(tenant === null ? [] : [[texts.tenant, tenant] as const]),
    [texts.version, server.version],
    [texts.started, formats.moment(server.startedAt)],
    [texts.upFor, formats.age(shown.readAt - Date.parse(server.startedAt))],
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
      <Configured context={context} shown={shown} />
      <p class="hint">{texts.asOf(formats.time(shown.readAt))}</p>
    </section>
  );
}

/** The settings that are on, and the warnings of the server. */
function Configured({
  context: { texts },
  shown,
}: {
  readonly context: PageContext;
  readonly shown: Shown;
}): JSX.Element {
  const { server, tenant } = shown.metrics;
  const { options, warnings } = server;
  return (
    <div class="tables">
      <div class="panel">
        <h3>{texts.options}</h3>
        {options.length === 0 ? <p class="hint">{texts.noOptions}</p> : null}
        <ul class="options">
          {options.map((option) => (
            <li key={option}>
              <code>{option}</code>
            </li>
          ))}
        </ul>
      </div>
      {/* Tenants are not told of them. */}
      {tenant !== null ? null : (
        <div class="panel">
          <h3>{texts.warnings}</h3>
          {warnings.length === 0 ? <p class="hint">{texts.noWarnings}</p> : null}
          <dl class="warnings">
            {warnings.map(({ code, message }) => (
              <div key={`${code} ${message}`}>
                <dt>
                  <code>{code}</code>
                </dt>
                {/* The text of the log, which is in English. */}
                <dd lang="en" dir="ltr">
                  {message}
                </dd>
              </div>
            ))}
          </dl>
        </div>
      )}
    </div>
  );
}
