import { sessionChannel } from '../../channels/control/session-channel.ts';
import { hubChannel, type HubControl } from '../../channels/hub/hub-channel.ts';
import { hostedToolsOn } from '../../config/hosted-tools.ts';
import type { HelperSettings } from '../../config/settings.ts';
import type { Assistant } from '../../core/assistant.ts';
import type { ConnectionHubEvents } from '../../wire/hub-events.ts';
import type { Resource } from '../open-resources.ts';
import { hubReplicas } from '../replicas/hub-replicas.ts';
import { maxMessageBytes, messageSettings } from './max-message-bytes.ts';
import type { MountChannel } from './mount-channel.ts';

/** The SignalR hub (contract/hub.md), and the endpoints that save and restore its conversations. */
export const mountHub: MountChannel = (http, services) => {
  const { settings, prepared } = services;
  const { server } = settings;
  if (!server.channels.includes('hub')) return;
  void http.register(sessionChannel, {
    basePath: server.basePath,
    assistant: services.assistant,
    snapshots: services.snapshots,
    elsewhere: services.elsewhere,
    admission: services.admission,
  });
  void http.register(hubChannel, {
    path: `${server.basePath}${server.hubPath}`,
    assistant: services.assistant,
    conversations: services.conversations,
    connected: () => ({
      ...connectedSettings(services.current(), prepared.models.current.isDemo),
      hostedTools: hostedToolsOn(services.current()).filter((name) => !prepared.killSwitch.stops({ name }, true)),
      conversations: services.conversations !== undefined,
    }),
    showsHostedTools: () => services.current().showHostedToolsStatus,
    remoteAgents: prepared.remoteAgents,
    mcpServers: prepared.mcpServers,
    budgetOf: services.budgets.remaining,
    replicas: hubReplicas(services),
    admission: services.transports,
    metrics: services.metrics.metrics,
    log: services.log,
    maxConnections: server.maxConnections,
    connectionRoom: services.rooms.connections,
    arrivalRoom: services.rooms.arriving,
    maxBufferedBytes: server.maxBufferedBytes,
    maxMessageBytes: maxMessageBytes(settings),
    disconnectGraceMs: server.disconnectGrace,
    settingNames: {
      maxMessageBytes: messageSettings(settings),
    },
    mayUpgrade: services.mayUpgrade,
    closesByControl: true,
    control: (hub) => {
      services.resources.add(hubResource(hub, services.assistant));
    },
  });
};

/** The hub as a resource. When it drains, it tells its clients how long running turns may still take. Clients reconnect by themselves. */
function hubResource(hub: HubControl, assistant: Assistant): Resource {
  return {
    name: 'hub',
    drain: (graceMs) => {
      hub.drain(assistant.runningTurns > 0 ? Math.ceil(graceMs / 1000) : 0);
      return Promise.resolve();
    },
    close: () => hub.closeAll(),
  };
}

/** With image or file input off, its limits are 0. */
function connectedSettings(
  settings: HelperSettings,
  demo: boolean,
): Omit<ConnectionHubEvents['Connected']['settings'], 'conversations' | 'hostedTools'> {
  const { enableImageInput, enableFileInput } = settings;
  return {
    language: settings.language,
    maxMessageLength: settings.maxMessageLength,
    enableImageInput,
    maxImageBytes: enableImageInput ? settings.maxImageBytes : 0,
    maxImagesPerMessage: enableImageInput ? settings.maxImagesPerMessage : 0,
    allowedImageTypes: enableImageInput ? settings.allowedImageTypes : [],
    enableFileInput,
    maxFileBytes: enableFileInput ? settings.maxFileBytes : 0,
    maxFilesPerMessage: enableFileInput ? settings.maxFilesPerMessage : 0,
    allowedFileTypes: enableFileInput ? settings.allowedFileTypes : [],
    demo,
    aiDisclosure: settings.aiDisclosure,
    memory: settings.useMemoryContext,
  };
}
