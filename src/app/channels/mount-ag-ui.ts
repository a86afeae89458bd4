import { agUiChannel } from '../../channels/ag-ui/ag-ui-channel.ts';
import { errorText, textsByLanguage } from '../../core/language/texts.ts';
import { admissionOfPrograms } from './admission-of-programs.ts';
import { maxMessageBytes } from './max-message-bytes.ts';
import type { MountChannel } from './mount-channel.ts';

/** Bytes of what was said before, which clients of this protocol send again with each request. */
const earlierBytes = 1024 * 1024;

/** The assistant for clients of AG-UI (contract/ag-ui.md). */
export const mountAgUi: MountChannel = (http, services) => {
  const { settings, assistant, metrics, rooms, clock, transports } = services;
  const { enabled, ...endpoint } = settings.endpoints.agui;
  if (!enabled) return;
  const { basePath, maxConnections } = settings.server;
  const texts = textsByLanguage[settings.language];
  void http.register(agUiChannel, {
    path: `${basePath}/agui`,
    assistant,
    admission: { ...admissionOfPrograms(services, { ...endpoint, rateLimit: null }), rate: transports.rate },
    metrics: metrics.metrics,
    rooms,
    maxStreams: maxConnections,
    bodyLimit: maxMessageBytes(settings) + earlierBytes,
    clock,
    limits: settings,
    texts: { withdrawn: texts.withdrawn, interrupted: errorText(texts, 'interrupted') },
  });
};
