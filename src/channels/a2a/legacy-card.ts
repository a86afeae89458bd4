import type { AgentCard } from '@a2a-js/sdk';

/** The version that clients of before 1.0 speak, as their requests name it. */
export const legacyVersion = '0.3';

/**
 * The card in the form of A2A 0.3 (contract/a2a-server.md#clients-of-before-10). A card with the members of both versions is valid in
 * neither.
 */
export function legacyCardText(card: AgentCard): string {
  const { name, description, version, iconUrl, documentationUrl, provider, defaultInputModes, defaultOutputModes } =
    card;
  const [first] = card.supportedInterfaces;
  const [needed] = card.securityRequirements;
  const hasSchemes = Object.keys(card.securitySchemes).length > 0;
  return JSON.stringify({
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
  });
}
