import { sseChannel } from '../../channels/sse/sse-channel.ts';
import { webhookFault } from '../webhooks/webhook-fault.ts';
import { maxMessageBytes } from './max-message-bytes.ts';
import type { MountChannel } from './mount-channel.ts';

/** Server-sent events (contract/sse.md). */
export const mountSse: MountChannel = (http, { settings, assistant, transports, metrics, rooms }) => {
  const { basePath, ssePath, channels, maxConnections } = settings.server;
  if (!channels.includes('sse')) return;
  void http.register(sseChannel, {
    path: `${basePath}${ssePath}`,
    assistant,
    admission: transports,
    metrics: metrics.metrics,
    bodyLimit: maxMessageBytes(settings),
    maxStreams: maxConnections,
    rooms,
    detached: {
      isOn: settings.server.durableTurns,
      webhookFault: (address) => webhookFault(address, settings.server.webhooks.hosts),
    },
  });
};
