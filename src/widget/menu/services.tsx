import type { JSX } from 'preact';
import { fill } from '../texts/widget-texts.ts';
import type { MenuProps } from './menu-contract.ts';
import { type MenuTexts, menuTexts } from './menu-texts.ts';
import { StateLine } from './state-line.tsx';

/** A service behind the assistant, and how it is doing. */
interface Service {
  readonly name: string;
  readonly status: keyof MenuTexts['states'];
  /** Stands beside the name. */
  readonly note: string;
}

interface ServicesProps extends Pick<MenuProps, 'state'> {
  readonly locale: string;
}

/** The tools of the provider by name, and a line for each kind of service, which opens to the single ones. */
export function Services({ state: { status, connection }, locale }: ServicesProps): JSX.Element {
  const texts = menuTexts(locale);
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
            <li key={tool}>{texts.hosted[tool] ?? tool}</li>
          ))}
        </ul>
      )}
      {isToldOf(agents) && <KindOfService kind={texts.remoteAgents} services={agents} texts={texts} />}
      {isToldOf(servers) && <KindOfService kind={texts.mcpServers} services={servers} texts={texts} />}
    </div>
  );
}

interface KindProps {
  /** Names the line. */
  readonly kind: string;
  /** Empty while nothing is known of them. */
  readonly services: readonly Service[];
  readonly texts: MenuTexts;
}

/** A line that says how many services are connected. It opens to their names and states. */
function KindOfService({ kind, services, texts: { ready, states } }: KindProps): JSX.Element {
  const count = services.length;
  const connected = services.filter(({ status }) => status === 'connected').length;
  const isWell = connected === count && count > 0;
  const words = count === 0 ? states.connecting : fill(ready, { ready: connected, count });
  return (
    <details class="services" onToggle={showWhole}>
      <summary class="menu-line">
        <StateLine name={kind} words={words} state={isWell ? 'connected' : 'troubled'} />
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

/** Scrolls a line that has just opened into view. In a low window it opens below the edge of the menu. */
function showWhole({ currentTarget }: { readonly currentTarget: Element }): void {
  currentTarget.scrollIntoView({ block: 'nearest' });
}
