import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { PrometheusMetrics } from '../adapters/metrics/prometheus-metrics.ts';
import { controlChannel } from '../channels/control/control-channel.ts';
import { sessionChannel } from '../channels/control/session-channel.ts';
import { hubChannel, type HubControl } from '../channels/hub/hub-channel.ts';
import { opsChannel } from '../channels/ops/ops-channel.ts';
import type { ReadinessCheck } from '../channels/ops/readiness.ts';
import type { Admission } from '../channels/shared/admit-requests.ts';
import { createCrossOriginGuard } from '../channels/shared/cross-origin.ts';
import { RequestIdentity } from '../channels/shared/request-identity.ts';
import { createRequestRate } from '../channels/shared/request-rate.ts';
import { sseChannel } from '../channels/sse/sse-channel.ts';
import { widgetChannel } from '../channels/widget/widget-channel.ts';
import type { HelperSettings } from '../config/settings.ts';
import type { Assistant } from '../core/assistant.ts';
import type { ConfirmationJournal } from '../core/ports/confirmation-journal.ts';
import type { SessionSnapshots } from '../core/sessions/snapshot/session-snapshots.ts';
import type { ClientSettings } from '../wire/client-settings.ts';
import type { ConnectionHubEvents } from '../wire/hub-events.ts';
import { demoOrders } from './demo-orders.ts';
import type { OpenHttp } from './open-http.ts';
import type { PreparedServer } from './prepare-server.ts';

export interface ChannelServices {
  readonly settings: HelperSettings;
  readonly prepared: PreparedServer;
  readonly assistant: Assistant;
  readonly journal: ConfirmationJournal;
  readonly snapshots: SessionSnapshots;
  readonly metrics: PrometheusMetrics;
  readonly log: FastifyBaseLogger;
  /** The built widget. */
  readonly assetsDirectory: string;
  readonly onHub: (control: HubControl) => void;
  readonly mayUpgrade: OpenHttp['mayUpgrade'];
}

/** Every way in, in one readable list (architecture.md 2). */
export function registerChannels(http: FastifyInstance, services: ChannelServices): void {
  const { settings, assistant, metrics, prepared } = services;
  const { basePath, channels } = settings.server;
  const guard = createCrossOriginGuard({
    publicUrl: settings.server.publicUrl,
    host: settings.server.host,
    hosts: settings.server.hosts,
    allowedOrigins: settings.cors.default.origins,
    credentials: settings.cors.default.credentials,
  });
  const identity = new RequestIdentity({
    authenticator: prepared.authenticator,
    cookie: settings.auth.jwt?.cookie ?? undefined,
    hubPath: `${basePath}${settings.server.hubPath}`,
  });
  const transports: Admission = {
    guard,
    identity,
    authorization: settings.endpoints.transports,
    rate: requestRate(services),
  };
  void http.register(opsChannel, {
    readiness: async () => [...(await storageCheck(services.journal)), ...callbackChecks(prepared.callbacks)],
    draining: () => assistant.draining,
    renderMetrics: () => metrics.render(),
    metrics: settings.endpoints.metrics.port === null ? ownMetrics(settings) : null,
  });
  if (channels.length > 0) {
    void http.register(controlChannel, { basePath, assistant, admission: { guard, identity } });
  }
  if (channels.includes('sse')) {
    void http.register(sseChannel, {
      path: `${basePath}${settings.server.ssePath}`,
      assistant,
      admission: transports,
      metrics: metrics.metrics,
      bodyLimit: maxMessageBytes(settings),
      maxStreams: settings.server.maxConnections,
    });
  }
  if (channels.includes('hub')) {
    void http.register(sessionChannel, {
      basePath,
      assistant,
      snapshots: services.snapshots,
      admission: { guard, identity },
    });
    registerHub(http, services, transports);
    void http.register(widgetChannel, {
      basePath,
      assetsDirectory: services.assetsDirectory,
      client: clientSettings(settings, prepared.model.isDemo),
      demoPage: settings.demoPage,
      demoData: demoOrders(prepared.plugins, services.log),
    });
  }
}

/** What supervisors and monitoring ask. */
export function probePaths({ endpoints }: HelperSettings): readonly string[] {
  return ['/healthz', '/readyz', endpoints.metrics.path];
}

function registerHub(http: FastifyInstance, services: ChannelServices, admission: Admission): void {
  const { settings, prepared } = services;
  const { server } = settings;
  void http.register(hubChannel, {
    path: `${server.basePath}${server.hubPath}`,
    assistant: services.assistant,
    connected: () => connectedSettings(settings, prepared.model.isDemo),
    admission,
    metrics: services.metrics.metrics,
    log: services.log,
    maxConnections: server.maxConnections,
    maxConnectionsPerUser: server.maxConnectionsPerUser,
    maxBufferedBytes: server.maxBufferedBytes,
    maxMessageBytes: maxMessageBytes(settings),
    disconnectGraceMs: server.disconnectGrace,
    settingNames: { maxMessageBytes: 'maxMessageLength' },
    mayUpgrade: services.mayUpgrade,
    control: services.onHub,
  });
}

/** `endpoints.transports.rateLimit`: counted by signed-in user, else by address. */
function requestRate({ settings, metrics }: ChannelServices): Admission['rate'] {
  const { rateLimit } = settings.endpoints.transports;
  if (rateLimit === null) return undefined;
  return createRequestRate({ ...rateLimit, metrics: metrics.metrics, now: Date.now });
}

function ownMetrics(settings: HelperSettings): { path: string; token: string | undefined } {
  const { path, token } = settings.endpoints.metrics;
  return { path, token: token ?? undefined };
}

/** Whether the journal can be read: without it nothing that asks first can run. */
async function storageCheck(journal: ConfirmationJournal): Promise<readonly ReadinessCheck[]> {
  const state = await journal.find('readiness').then(
    () => 'ok' as const,
    () => 'failed' as const,
  );
  return [{ name: 'storage', state }];
}

/** Until it has told its actions, the assistant lacks them (extending.md 2). */
function callbackChecks(callbacks: PreparedServer['callbacks']): readonly ReadinessCheck[] {
  return callbacks.map(({ name, state }) => ({ name: `callback:${name}`, state }));
}

/**
 * The largest request worth reading: a message of `maxMessageLength` in its longest JSON spelling (`\uXXXX`), with room
 * for what comes beside it.
 */
function maxMessageBytes(settings: HelperSettings): number {
  const room = 256 * 1024;
  const unlimited = 16 * 1024 * 1024;
  return settings.maxMessageLength === 0 ? unlimited : settings.maxMessageLength * 6 + room;
}

/** Image input is off in this server, so the limits beside it say that nothing is taken. */
function connectedSettings(settings: HelperSettings, demo: boolean): ConnectionHubEvents['Connected']['settings'] {
  return {
    language: settings.language,
    maxMessageLength: settings.maxMessageLength,
    enableImageInput: false,
    maxImageBytes: 0,
    maxImagesPerMessage: 0,
    allowedImageTypes: [],
    hostedTools: [],
    demo,
  };
}

function clientSettings(settings: HelperSettings, demo: boolean): Omit<ClientSettings, 'panel' | 'texts'> {
  const { basePath, hubPath } = settings.server;
  return {
    hubPath: `${basePath}${hubPath}`,
    approvePath: `${basePath}/helper/approve`,
    cancelPath: `${basePath}/helper/cancel`,
    language: settings.language,
    botName: settings.botName,
    theme: settings.theme,
    position: settings.position,
    primaryColor: settings.primaryColor,
    avatarUrl: settings.avatarUrl,
    inputPlaceholder: settings.inputPlaceholder,
    demo,
    imageHosts: settings.cards.imageHosts,
  };
}
