import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { PrometheusMetrics } from '../adapters/metrics/prometheus-metrics.ts';
import { controlChannel } from '../channels/control/control-channel.ts';
import { sessionChannel } from '../channels/control/session-channel.ts';
import { hubChannel, type HubControl } from '../channels/hub/hub-channel.ts';
import type { MetricsChannelOptions } from '../channels/ops/metrics-channel.ts';
import { opsChannel } from '../channels/ops/ops-channel.ts';
import type { ReadinessCheck } from '../channels/ops/readiness.ts';
import type { Admission } from '../channels/shared/admit-requests.ts';
import { createCrossOriginGuard } from '../channels/shared/cross-origin.ts';
import { RequestIdentity } from '../channels/shared/request-identity.ts';
import { createRequestRate } from '../channels/shared/request-rate.ts';
import type { SecurityLog } from '../channels/shared/security-log.ts';
import { sseChannel } from '../channels/sse/sse-channel.ts';
import { widgetChannel } from '../channels/widget/widget-channel.ts';
import type { HelperSettings } from '../config/settings.ts';
import type { Assistant } from '../core/assistant.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { SessionSnapshots } from '../core/sessions/snapshot/session-snapshots.ts';
import type { ClientSettings } from '../wire/client-settings.ts';
import type { ConnectionHubEvents } from '../wire/hub-events.ts';
import type { CallerRooms } from './caller-rooms.ts';
import { demoOrders } from './demo-orders.ts';
import type { OpenHttp } from './open-http.ts';
import type { OpenResources, Resource } from './open-resources.ts';
import type { PreparedServer } from './prepare-server.ts';

export interface ChannelServices {
  readonly settings: HelperSettings;
  readonly prepared: PreparedServer;
  readonly assistant: Assistant;
  readonly storage: { isWritable(): Promise<boolean> };
  readonly snapshots: SessionSnapshots;
  readonly metrics: PrometheusMetrics;
  readonly security: SecurityLog;
  readonly rooms: CallerRooms;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  /** The built widget. */
  readonly assetsDirectory: string;
  /** Gets what a channel keeps open by itself. */
  readonly resources: Pick<OpenResources, 'add'>;
  readonly mayUpgrade: OpenHttp['mayUpgrade'];
}

/** Every way in, in one readable list (architecture.md 2). */
export function registerChannels(http: FastifyInstance, services: ChannelServices): void {
  const { settings, assistant, metrics, prepared, security } = services;
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
    security,
    authorization: settings.endpoints.transports,
    rate: requestRate(services),
  };
  void http.register(opsChannel, {
    readiness: () => readiness(services),
    draining: () => assistant.draining,
    renderMetrics: () => metrics.render(),
    metrics: settings.endpoints.metrics.port === null ? ownMetrics(settings, security) : null,
  });
  if (channels.length > 0) {
    void http.register(controlChannel, { basePath, assistant, admission: { guard, identity, security } });
  }
  if (channels.includes('sse')) {
    void http.register(sseChannel, {
      path: `${basePath}${settings.server.ssePath}`,
      assistant,
      admission: transports,
      metrics: metrics.metrics,
      bodyLimit: maxMessageBytes(settings),
      maxStreams: settings.server.maxConnections,
      rooms: services.rooms,
    });
  }
  if (channels.includes('hub')) {
    void http.register(sessionChannel, {
      basePath,
      assistant,
      snapshots: services.snapshots,
      admission: { guard, identity, security },
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
    connectionRoom: services.rooms.connections,
    maxBufferedBytes: server.maxBufferedBytes,
    maxMessageBytes: maxMessageBytes(settings),
    disconnectGraceMs: server.disconnectGrace,
    settingNames: { maxMessageBytes: 'maxMessageLength' },
    mayUpgrade: services.mayUpgrade,
    control: (hub) => {
      services.resources.add(hubResource(hub, services.assistant));
    },
  });
}

/** Its clients are told how long what runs has; they come back when the server does. */
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

/** `endpoints.transports.rateLimit`: counted by signed-in user, else by address. */
function requestRate({ settings, metrics, clock }: ChannelServices): Admission['rate'] {
  const { rateLimit } = settings.endpoints.transports;
  if (rateLimit === null) return undefined;
  return createRequestRate({ ...rateLimit, metrics: metrics.metrics, now: () => clock.elapsed() });
}

function ownMetrics(settings: HelperSettings, security: SecurityLog): Omit<MetricsChannelOptions, 'renderMetrics'> {
  const { path, token } = settings.endpoints.metrics;
  return { path, token: token ?? undefined, security };
}

/** Without storage that takes writes nothing that asks first can run; sources of tools speak for themselves. */
async function readiness({ storage, prepared }: ChannelServices): Promise<readonly ReadinessCheck[]> {
  const state = (await storage.isWritable()) ? 'ok' : 'failed';
  return [{ name: 'storage', state }, ...prepared.providers.flatMap((provider) => provider.readiness())];
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
