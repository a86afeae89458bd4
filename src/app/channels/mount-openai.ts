import { openAiChannel } from '../../channels/openai/openai-channel.ts';
import { RequestIdentity } from '../../channels/shared/request-identity.ts';
import { doneBelow } from '../../core/guardrails/honest-texts.ts';
import { errorText, textsByLanguage } from '../../core/language/texts.ts';
import { maxMessageBytes } from './max-message-bytes.ts';
import type { MountChannel } from './mount-channel.ts';

/** Bytes of what was said before, which clients of this API send again with each request. */
const earlierBytes = 1024 * 1024;

/** The assistant for clients of the OpenAI API (contract/openai.md). */
export const mountOpenAi: MountChannel = (http, services) => {
  const { settings, current, assistant, prepared, transports, metrics, rooms, clock } = services;
  const { enabled, requireAuthorization, roles } = settings.endpoints.openai;
  if (!enabled) return;
  const { basePath, maxConnections } = settings.server;
  const texts = textsByLanguage[settings.language];
  // These are programs, which send a header. A cookie goes along with the requests of any page.
  const identity = new RequestIdentity({ authenticator: prepared.authenticator, cookie: undefined, hubPath: '' });
  void http.register(openAiChannel, {
    path: `${basePath}/v1`,
    assistant,
    admission: { ...transports, identity, authorization: { requireAuthorization, roles } },
    metrics: metrics.metrics,
    bodyLimit: maxMessageBytes(settings) + earlierBytes,
    maxStreams: maxConnections,
    rooms,
    clock,
    limits: settings,
    texts: {
      withdrawn: texts.withdrawn,
      interrupted: errorText(texts, 'interrupted'),
      doneBelow: (end) => doneBelow(textsByLanguage[current().language], end),
    },
  });
};
