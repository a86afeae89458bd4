import type { JSX } from 'preact';
import { fill } from '../texts/widget-texts.ts';
import type { StatusProps } from './status-contract.ts';
import { type StatusTexts, statusTexts } from './status-texts.ts';

/** A service behind the assistant, and how it is doing. */
interface Service {
  readonly name: string;
  readonly status: keyof StatusTexts['states'];
  /** Stands beside the name. */
  readonly note: string;
}

/** The tools of the provider by name, and a badge for each kind of service, which opens to the single ones. */
export function StatusLine({ state: { status, connection }, locale }: StatusProps): JSX.Element {
  const texts = statusTexts(locale);
  const agents = status.agents?.map(({ agentCardUrl: note, ...agent }) => ({ ...agent, note }));
  const servers = status.servers?.map((server) => ({ ...server, note: '' }));
  // Before the first connection nothing is known, and the badge stands all the same.
  const isKnown = connection !== 'idle' && connection !== 'connecting';
  const isToldOf = (services?: readonly Service[]): services is readonly Service[] =>
    services !== undefined && (services.length > 0 || !isKnown);
  return (
    <div class="status">
      {status.tools && status.tools.length > 0 && (
        <ul aria-label={texts.hostedTools}>
          {status.tools.map((tool) => (
            <li key={tool} class="badge">
              {texts.hosted[tool] ?? tool}
            </li>
          ))}
        </ul>
      )}
      {isToldOf(agents) && <Services kind={texts.remoteAgents} services={agents} texts={texts} />}
      {isToldOf(servers) && <Services kind={texts.mcpServers} services={servers} texts={texts} />}
    </div>
  );
}

interface ServicesProps {
  /** Names the badge. */
  readonly kind: string;
  /** Empty while nothing is known of them. */
  readonly services: readonly Service[];
  readonly texts: StatusTexts;
}

/** A badge that says how many services are connected. It opens to their names and states. */
function Services({ kind, services, texts: { ready, states } }: ServicesProps): JSX.Element {
  const count = services.length;
  const connected = services.filter(({ status }) => status === 'connected').length;
  const isWell = connected === count && count > 0;
  const words = count === 0 ? states.connecting : fill(ready, { ready: connected, count });
  return (
    <details class={isWell ? 'services' : 'services is-troubled'}>
      <summary class="badge" title={words}>
        {kind}
        <span class="visually-hidden">: {words}</span>
        <span aria-hidden="true">{count === 0 ? ' …' : ` ${String(connected)}/${String(count)}`}</span>
      </summary>
      {/* A long list scrolls, so the keyboard must reach it. */}
      <ul aria-label={kind} tabIndex={0}>
        {services.map(({ name, status, note }) => (
          <li key={name} class={`is-${status}`}>
            <b dir="auto">{name}</b> <span class="state">{states[status]}</span>
            {note !== '' && <small dir="ltr">{note}</small>}
          </li>
        ))}
      </ul>
    </details>
  );
}
