const wellKnown = '/.well-known/agent-card.json';

/** Where the card of an agent is. */
export interface AgentAddress {
  readonly cardAddress: URL;
  /** The user info of the address, as a header. `fetch` does not send it. */
  readonly authorization: readonly (readonly [name: string, value: string])[];
}

/** Reads `agentCardUrl`, with or without the well-known path. @throws TypeError where it is no address. */
export function agentAddress(agentCardUrl: string): AgentAddress {
  const cardAddress = new URL(agentCardUrl);
  if (cardAddress.protocol !== 'https:' && cardAddress.protocol !== 'http:') throw new TypeError('no address of HTTP');
  const { username, password, pathname } = cardAddress;
  cardAddress.username = '';
  cardAddress.password = '';
  cardAddress.hash = '';
  if (!pathname.endsWith(wellKnown)) cardAddress.pathname = `${pathname.replace(/(?<!\/)\/+$/u, '')}${wellKnown}`;
  if (username === '' && password === '') return { cardAddress, authorization: [] };
  const pair = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  return { cardAddress, authorization: [['authorization', `Basic ${pair}`]] };
}

/** The address as people may see it: without user info, query and fragment (contract/events.md#events-of-the-connection). */
export function shownAddress(agentCardUrl: string): string {
  const { origin, pathname } = new URL(agentCardUrl);
  return `${origin}${pathname === '/' ? '' : pathname}`;
}
