import { AgentCard } from '@a2a-js/sdk';
import { type Client, ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import { NoReply } from './no-reply.ts';

/** What the card of an agent says of how to talk to it. */
export interface RemoteCard {
  readonly client: Client;
  /** Whether the agent sends a reply piece by piece. */
  readonly isStreaming: boolean;
}

const compat = { legacyCompat: { enabled: true } } as const;

/** The protocol versions that the SDK speaks. A card that names none is of version 0.3. */
const spoken = /^(1(\.|$)|0\.3(\.|$)|$)/u;

/**
 * Reads a card of protocol version 1.0 or 0.3. The agent is talked to over JSON-RPC, and only at the origin of its card
 * (contract/agents.md#remote-agents).
 * @throws NoReply where the card is not one, or where no such interface is in it.
 */
export async function readCard(text: string, origin: string, fetchImpl: typeof fetch): Promise<RemoteCard> {
  const card = cardOf(text);
  const usable = card.supportedInterfaces.filter(
    ({ protocolBinding, protocolVersion }) =>
      protocolBinding.toUpperCase() === 'JSONRPC' && spoken.test(protocolVersion.trim()),
  );
  if (usable.length === 0) throw new NoReply('outage', 'has a card without an interface for JSON-RPC');
  const own = usable.filter(({ url }) => URL.canParse(url) && new URL(url).origin === origin);
  const chosen = own.find(({ protocolVersion }) => protocolVersion.startsWith('1')) ?? own[0];
  if (chosen === undefined) throw new NoReply('outage', 'has a card whose interfaces are of another origin');
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory({ fetchImpl, ...compat })],
    cardResolver: new DefaultAgentCardResolver(compat),
    // The reply to a message is then the task as it is begun, so that a Stop knows what to cancel.
    clientConfig: { polling: true, acceptedOutputModes: ['text/plain', 'application/json'] },
  });
  const client = await factory.createFromAgentCard({ ...card, supportedInterfaces: [chosen] });
  return { client, isStreaming: card.capabilities?.streaming === true };
}

function cardOf(text: string): AgentCard {
  try {
    const raw: unknown = JSON.parse(text);
    const isCard = typeof raw === 'object' && raw !== null && !Array.isArray(raw) && 'name' in raw;
    if (!isCard) throw new TypeError('no card');
    const known = new DefaultAgentCardResolver(compat).normalizeAgentCard(raw);
    // A card of version 0.3 is a new object by now. Any other still has the shapes that the agent gave it.
    return known === raw ? AgentCard.fromJSON(raw) : known;
  } catch (error) {
    throw new NoReply('outage', 'has a card that cannot be read', { cause: error });
  }
}
