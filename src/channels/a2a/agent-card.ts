import { AgentCard, AgentSkill } from '@a2a-js/sdk';
import type { OfferedAction } from '../../core/direct/direct-call.ts';

/** What the card says beside the actions. */
export interface AgentCardOptions {
  readonly name: string;
  readonly description: string;
  /** `agentCard.version`. */
  readonly version: string;
  readonly iconUrl?: string | undefined;
  readonly documentationUrl?: string | undefined;
  /** `agentCard.provider`, the name of an organisation. */
  readonly provider?: string | undefined;
  /** Media types of the parts of a message. */
  readonly inputModes: readonly string[];
  /** Whether callers may sign in, and whether they must. */
  readonly signIn: 'none' | 'possible' | 'required';
}

/** The version of the protocol that the endpoint speaks. */
export const protocolVersion = '1.0';
export const protocolBinding = 'JSONRPC';

/** Requests say in it what an agent has. Empty tags would not be sent at all. */
const tags = ['action'];

/**
 * The card of this agent: `actions` are those that need neither a role nor an answer of a user (contract/a2a-server.md#the-card).
 * `address` is the root of this server as clients reach it, and `path` the endpoint below it.
 */
export function agentCard(
  { name, description, version, iconUrl, documentationUrl, provider, inputModes, signIn }: AgentCardOptions,
  {
    actions,
    address,
    path,
  }: { readonly actions: readonly OfferedAction[]; readonly address: string; readonly path: string },
): AgentCard {
  return {
    ...{ name, description, version, iconUrl, documentationUrl },
    supportedInterfaces: [{ url: `${address}${path}`, protocolBinding, protocolVersion, tenant: '' }],
    provider: provider === undefined ? undefined : { organization: provider, url: address },
    capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false, extensions: [] },
    securitySchemes:
      signIn === 'none'
        ? {}
        : {
            bearer: {
              scheme: {
                $case: 'httpAuthSecurityScheme',
                value: { scheme: 'Bearer', bearerFormat: 'JWT', description: 'The token of a user.' },
              },
            },
          },
    securityRequirements: signIn === 'required' ? [{ schemes: { bearer: { list: [] } } }] : [],
    defaultInputModes: [...inputModes],
    defaultOutputModes: ['text/plain'],
    skills: actions.map(skillOf),
    signatures: [],
  };
}

/** The card as clients read it. `skills` must be there even where there is none (A2A 1.0, AgentCard). */
export function cardText(card: AgentCard): string {
  const written: unknown = AgentCard.toJSON(card);
  return JSON.stringify({ ...Object(written), skills: card.skills.map((skill): unknown => AgentSkill.toJSON(skill)) });
}

function skillOf({ name: id, title: name, description }: OfferedAction): AgentSkill {
  return { id, name, description, tags, examples: [], inputModes: [], outputModes: [], securityRequirements: [] };
}
