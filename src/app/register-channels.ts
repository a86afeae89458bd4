import type { FastifyInstance } from 'fastify';
import { type Admission, noted } from '../channels/shared/admit-requests.ts';
import { collectEndpoints, type CollectOptions } from '../channels/openapi/collect-endpoints.ts';
import { RequestIdentity } from '../channels/shared/request-identity.ts';
import { createRequestRate } from '../channels/shared/request-rate.ts';
import type { HelperSettings } from '../config/settings.ts';
import { tokenCookie } from '../config/token-issuers.ts';
import type { ChannelServices, MountChannel, MountServices } from './channels/mount-channel.ts';
import { mountA2a } from './channels/mount-a2a.ts';
import { mountAgUi } from './channels/mount-ag-ui.ts';
import { mountConfirm } from './channels/mount-confirm.ts';
import { mountControl } from './channels/mount-control.ts';
import { mountConversations } from './channels/mount-conversations.ts';
import { mountDashboard } from './channels/mount-dashboard.ts';
import { mountFeedback } from './channels/mount-feedback.ts';
import { mountFollowUps } from './channels/mount-follow-ups.ts';
import { mountHub } from './channels/mount-hub.ts';
import { mountMcp } from './channels/mount-mcp.ts';
import { mountMemory } from './channels/mount-memory.ts';
import { mountOpenAi } from './channels/mount-openai.ts';
import { mountOpenApi } from './channels/mount-openapi.ts';
import { mountOps } from './channels/mount-ops.ts';
import { mountPages } from './channels/mount-pages.ts';
import { mountSse } from './channels/mount-sse.ts';
import { mountTour } from './channels/mount-tour.ts';
import { mountWidget } from './channels/mount-widget.ts';
import { packageVersion } from './own-package.ts';
import { openElsewhere } from './replicas/open-elsewhere.ts';

/** Every way in, in one readable list (docs/architecture.md). */
const channels: readonly MountChannel[] = [
  mountOps,
  mountOpenApi,
  mountPages,
  mountDashboard,
  mountControl,
  mountMemory,
  mountConversations,
  mountFeedback,
  mountFollowUps,
  mountTour,
  mountSse,
  mountHub,
  mountMcp,
  mountOpenAi,
  mountA2a,
  mountAgUi,
  mountConfirm,
  mountWidget,
];

/** Puts every channel on the server that the settings want. */
export function registerChannels(http: FastifyInstance, services: ChannelServices): void {
  // Registered first, because it sees only the routes that come after it.
  const document = collectEndpoints(http, documentOptions(services.settings));
  checkHosts(http, services);
  const elsewhere = openElsewhere(http, services);
  const mounted = { ...services, ...admissions(http, services), elsewhere, document };
  for (const mount of channels) mount(http, mounted);
}

/**
 * A website that has made a name of its own lead here reads no figures and learns nothing of the application (contract/doors.md#host-names).
 * The channels that drive the server check each request themselves; pages and scripts are the same for everybody.
 */
function checkHosts(
  http: FastifyInstance,
  { guard, security, settings }: Pick<ChannelServices, 'guard' | 'security' | 'settings'>,
): void {
  const { endpoints, server } = settings;
  const documents = ['/helper/openapi.json', '/helper/tour'].map((path) => `${server.basePath}${path}`);
  const checked = new Set([endpoints.metrics.path, ...documents].map((path) => `${http.prefix}${path}`));
  http.addHook('onRequest', (request, _reply, next) => {
    if (checked.has(request.routeOptions.url ?? '')) noted(request, { security }, () => guard.checkHost(request));
    next();
  });
}

function documentOptions({ server, auth, endpoints, aiDisclosure }: HelperSettings): CollectOptions {
  const { metrics } = endpoints;
  return {
    version: packageVersion(),
    publicUrl: server.publicUrl,
    aiDisclosure,
    signIn: auth.jwt === null ? undefined : { cookie: tokenCookie(auth) },
    // Metrics on another port are not part of the document of this server.
    metricsToken: metrics.token !== null && metrics.port === null,
  };
}

/** The rules of who may come in. */
function admissions(http: FastifyInstance, services: ChannelServices): Pick<MountServices, 'admission' | 'transports'> {
  const { settings, prepared, guard, security } = services;
  const identity = new RequestIdentity({
    authenticator: prepared.authenticator,
    cookie: tokenCookie(settings.auth),
    hubPath: `${http.prefix}${settings.server.basePath}${settings.server.hubPath}`,
  });
  const admission = { guard, identity, security };
  const transports = { ...admission, authorization: settings.endpoints.transports, rate: requestRate(services) };
  return { admission, transports };
}

/** `endpoints.transports.rateLimit`: counted by signed-in user, else by address. */
function requestRate({ settings, metrics, clock }: ChannelServices): Admission['rate'] {
  const { rateLimit } = settings.endpoints.transports;
  if (rateLimit === null) return undefined;
  return createRequestRate({ ...rateLimit, metrics: metrics.metrics, now: () => clock.elapsed() });
}
