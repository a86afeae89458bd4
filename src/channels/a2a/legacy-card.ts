import type { AgentCard } from '@a2a-js/sdk';

/** The version that clients of before 1.0 speak, as their requests name it. */
export const legacyVersion = '0.3';

/**
 * The card with the members of both versions, for a client that does not say which it speaks (contract/a2a-server.md#clients-of-before-10).
 * `text` is the card of 1.0 as it is sent, whose members count where both versions have one. Readers of each version pass over those of the
 * other, so the signature stays valid.
 */
export function cardTextOfBoth(card: AgentCard, text: string): string {
  const modern = JSON.parse(text) as Members & Partial<Pick<LegacyCard, 'capabilities' | 'securitySchemes'>>; // as this server has written it
  const legacy = legacyCard(card);
  return JSON.stringify({
    ...legacy,
    ...modern,
    capabilities: { ...legacy.capabilities, ...modern.capabilities },
    ...(legacy.securitySchemes === undefined
      ? {}
      : { securitySchemes: joined(legacy.securitySchemes, modern.securitySchemes) }),
  });
}

/** The card in the form of A2A 0.3 (contract/a2a-server.md#clients-of-before-10). */
export function legacyCardText(card: AgentCard): string {
  return JSON.stringify(legacyCard(card));
}

type Members = Readonly<Record<string, unknown>>;
type Schemes = Readonly<Record<string, Members>>;

/** Each scheme with the members of both versions. */
function joined(legacy: Schemes, modern: Schemes = {}): Schemes {
  const names = [...new Set([...Object.keys(legacy), ...Object.keys(modern)])];
  return Object.fromEntries(names.map((name) => [name, { ...legacy[name], ...modern[name] }]));
}

interface LegacyCard extends Members {
  readonly capabilities: Members;
  readonly securitySchemes?: Schemes;
}

function legacyCard(card: AgentCard): LegacyCard {
  const { name, description, version, iconUrl, documentationUrl, provider, defaultInputModes, defaultOutputModes } =
    card;
  const [first] = card.supportedInterfaces;
  const [needed] = card.securityRequirements;
  const hasSchemes = Object.keys(card.securitySchemes).length > 0;
  return {
    protocolVersion: '0.3.0',
    ...{ name, description, version, iconUrl, documentationUrl, provider },
    url: first?.url,
    preferredTransport: 'JSONRPC',
    capabilities: { streaming: true, pushNotifications: false, stateTransitionHistory: false },
    ...(hasSchemes ? { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } } : {}),
    ...(needed === undefined ? {} : { security: [{ bearer: [] }] }),
    ...{ defaultInputModes, defaultOutputModes },
    skills: card.skills.map(({ id, name: title, description: text, tags }) => ({
      ...{ id, name: title, description: text, tags },
    })),
    supportsAuthenticatedExtendedCard: false,
  };
}
