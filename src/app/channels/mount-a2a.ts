import type { AgentCardOptions } from '../../channels/a2a/agent-card.ts';
import type { HelperSettings } from '../../config/settings.ts';
import { doneBelow } from '../../core/guardrails/honest-texts.ts';
import { textsByLanguage } from '../../core/language/texts.ts';
import { addressOfServer } from './address-of-server.ts';
import { admissionOfPrograms } from './admission-of-programs.ts';
import { a2aAsksOnPage, confirmMessage, confirmPath } from './confirm-on-page.ts';
import { maxMessageBytes } from './max-message-bytes.ts';
import type { MountChannel } from './mount-channel.ts';

/** The assistant for other agents (contract/a2a-server.md). */
export const mountA2a: MountChannel = (http, services) => {
  const { settings, current, assistant, elsewhere, tasks, recovery, metrics, rooms, clock, log } = services;
  const { a2aServerEnabled, a2aServerPath, server, endpoints } = settings;
  if (!a2aServerEnabled) return;
  // Loaded only here: most servers have no A2A server.
  void http.register(async (app) => {
    const { a2aChannel } = await import('../../channels/a2a/a2a-channel.ts');
    const { cardKeys } = await import('../../channels/a2a/card-route.ts');
    const { cardSigner } = await import('../../channels/a2a/card-signer.ts');
    const messageOf = await confirmMessage(settings);
    // The page needs `server.publicUrl`, so no request says the address.
    const publicAddress = addressOfServer(http, settings)({ protocol: 'http', host: server.host });
    const signingKey = endpoints.a2a?.signingKey ?? undefined;
    const signer = signingKey === undefined ? undefined : cardSigner(signingKey);
    if (signer !== undefined) await app.register(cardKeys, { basePath: server.basePath, signer });
    await app.register(a2aChannel, {
      path: `${server.basePath}${a2aServerPath}`,
      basePath: server.basePath,
      assistant,
      elsewhere,
      kept: tasks,
      onTasks: (all) => recovery.add({ name: 'tasks of other agents', run: () => all.recover() }),
      admission: admissionOfPrograms(services, endpoints.a2a),
      metrics: metrics.metrics,
      rooms,
      maxStreams: server.maxConnections,
      bodyLimit: maxMessageBytes(settings),
      card: () => cardOf(current()),
      legacy: endpoints.a2a?.legacy ?? false,
      asksOnPage: a2aAsksOnPage(settings),
      askingText: ({ actionId, title }) => `${messageOf(title)} ${publicAddress}${confirmPath(settings, actionId)}`,
      doneBelow: (end) => doneBelow(textsByLanguage[current().language], end),
      signer,
      addressOf: addressOfServer(http, settings),
      interrupted: () => textsByLanguage[current().language].errors.interrupted,
      clock,
      log,
    });
  });
};

function cardOf({
  appName,
  appDescription,
  agentCard,
  auth,
  endpoints,
  enableImageInput,
  allowedImageTypes,
}: HelperSettings): AgentCardOptions {
  const { version, iconUrl, documentationUrl, provider } = agentCard;
  const { requireAuthorization = false, roles = [] } = endpoints.a2a ?? {};
  const mustSignIn = requireAuthorization || roles.length > 0;
  return {
    name: appName,
    description: appDescription === '' ? `The assistant of ${appName}.` : appDescription,
    version,
    iconUrl: iconUrl ?? undefined,
    documentationUrl: documentationUrl ?? undefined,
    provider: provider ?? undefined,
    inputModes: ['text/plain', ...(enableImageInput ? allowedImageTypes : [])],
    signIn: auth.jwt === null ? 'none' : mustSignIn ? 'required' : 'possible',
  };
}
