import type { FastifyInstance, FastifyPluginCallback, FastifyRequest } from 'fastify';
import { HelperError } from '../../core/errors/helper-error.ts';
import { tenantOf } from '../../core/identity/principal.ts';
import type { AdminMetrics, KillSwitchBody, KillSwitchFigures } from '../../wire/admin-metrics.ts';
import type { SecurityLogLines } from '../../wire/security-lines.ts';
import { type Admission, admit, noted } from '../shared/admit-requests.ts';
import { answersHead } from '../shared/answers-head.ts';
import { securityOf } from '../shared/describe-endpoint.ts';
import { ownPagePolicy } from '../shared/own-page-policy.ts';
import { sendProblem } from '../shared/problem-json.ts';
import { sendFile } from '../shared/send-file.ts';
import { compressed, type ServedFile } from '../shared/served-file.ts';
import { escaped } from '../shared/own-page.ts';
import { requireJson } from '../shared/require-json.ts';
import { dashboardFileSchema, dashboardSchema, killSwitchBodySchema, metricsSchema } from './dashboard-schemas.ts';
import { readDashboardFiles } from './dashboard-files.ts';
import { csvOf } from './metrics-csv.ts';
import { securityLogSchema } from './security-log-schema.ts';
import { readAsked, type AskedHours } from './read-asked.ts';

export interface DashboardChannelOptions {
  /** `server.basePath`; empty, or begins with a slash and ends without one. */
  readonly basePath: string;
  /** Where `npm run build` has put the dashboard. */
  readonly assetsDirectory: string;
  /** Language tag of the page's texts; empty leaves it to the browser. */
  readonly languageTag: string;
  /** Whether anybody can sign in at all. */
  readonly canSignIn: boolean;
  readonly appName: string;
  /** `dashboardRole`; empty opens the figures to anyone. */
  readonly role: string;
  readonly admission: Omit<Admission, 'authorization' | 'rate'>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** The figures of a tenant, or of all callers together. Rejects when the store failed. */
  readonly read: (hours: AskedHours, tenant: string | undefined) => Promise<AdminMetrics>;
  /** The kill switch, for whoever sees the figures of all callers. Left out, it cannot be set from the page. */
  readonly killSwitch?: {
    readonly set: (writes: boolean, by: { readonly who: string; readonly requestId: string }) => KillSwitchFigures;
  };
}

/** Milliseconds to wait for a slow disk. */
const readWithinMs = 10_000;
/** The most reads at the same time. A viewer asks every 15 seconds, so more reads than these run only when the storage hangs. */
const mostReads = 8;

/**
 * `GET /helper/admin`, a page without figures, and `GET /helper/admin/metrics`, the figures, beside its kill switch and its security log (contract/operations.md#dashboard). Files are
 * read once, when the channel is registered. Registering it fails when the dashboard was not built.
 */
export const dashboardChannel: FastifyPluginCallback<DashboardChannelOptions> = (app, options, done) => {
  try {
    servePage(app, options);
    serveMetrics(app, options);
    serveKillSwitch(app, options);
    serveSecurityLog(app, options);
    done();
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)));
  }
};

function servePage(app: FastifyInstance, options: DashboardChannelOptions): void {
  const files = readDashboardFiles(options.assetsDirectory);
  const path = `${options.basePath}/helper/admin`;
  // The path that browsers use: the channel may be mounted below a prefix.
  const page = filled(files.page, `${app.prefix}${path}`, options);
  app.get(path, { ...answersHead, schema: dashboardSchema }, (request, reply) => {
    void reply.header('cache-control', 'no-cache').header('content-security-policy', ownPagePolicy);
    return sendFile(request, reply, page);
  });
  const asset = { ...answersHead, schema: dashboardFileSchema };
  app.get<{ Params: { name: string } }>(`${path}/assets/:name`, asset, (request, reply) => {
    const file = files.assets.get(request.params.name);
    if (file === undefined) {
      return sendProblem(reply, 'not_found', 'There is no such file in this version of the dashboard.');
    }
    // The name is a hash of the content, so the content never changes.
    void reply.header('cache-control', 'public, max-age=31536000, immutable');
    return sendFile(request, reply, file);
  });
}

function filled(
  template: string,
  path: string,
  { languageTag, canSignIn, appName }: DashboardChannelOptions,
): ServedFile {
  const values: Readonly<Record<string, string>> = {
    path,
    languageTag: languageTag === '' ? 'en' : languageTag,
    appName: escaped(appName),
    language: languageTag,
    signIn: canSignIn ? 'token' : 'none',
  };
  const page = template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
  return compressed('text/html; charset=utf-8', page);
}

function serveMetrics(app: FastifyInstance, options: DashboardChannelOptions): void {
  const { basePath, admission, role, now } = options;
  const read = fewAtOnce(options.read);
  const needed = { requireAuthorization: true, roles: [role] };
  const schema = metricsSchema(role === '' ? [] : securityOf(admission.identity, needed));
  app.get(
    `${basePath}/helper/admin/metrics`,
    { schema, onRequest: (request) => requireRole(request, role, admission) },
    async (request, reply) => {
      const asked = readAsked(request.query, now());
      const metrics = await inTime(read(asked, tenantAsking(request, options)));
      void reply.header('cache-control', 'no-store');
      if (asked.table === null) return reply.send(metrics);
      const name = `helper-${asked.table}-${metrics.from.slice(0, 13)}.csv`;
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(csvOf(metrics, asked.table));
    },
  );
}

/** `POST /helper/admin/kill-switch`: refuses all writes, or takes that back. It takes nothing but JSON, from pages of this server alone. */
function serveKillSwitch(app: FastifyInstance, options: DashboardChannelOptions): void {
  const { basePath, admission, role, killSwitch } = options;
  if (killSwitch === undefined || role === '') return;
  const schema = killSwitchBodySchema(securityOf(admission.identity, { requireAuthorization: true, roles: [role] }));
  app.post<{ Body: KillSwitchBody }>(
    `${basePath}/helper/admin/kill-switch`,
    { schema, bodyLimit: 1024, onRequest: [requireJson, (request) => requireRole(request, role, admission)] },
    (request, reply) => {
      if (tenantAsking(request, options) !== undefined)
        throw new HelperError('forbidden', 'The kill switch is for all tenants, and is set in the configuration.');
      const who = admission.security.presenterOf(admission.identity.of(request).principal, request.ip);
      void reply.header('cache-control', 'no-store');
      return killSwitch.set(request.body.writes, { who, requestId: request.id });
    },
  );
}

/**
 * `GET /helper/admin/security-log`: the newest lines of the security log. They say who was refused, so they are only for users with the role,
 * and for no tenant: ids of what belongs to other tenants are in them.
 */
function serveSecurityLog(app: FastifyInstance, options: DashboardChannelOptions): void {
  const { basePath, admission, role } = options;
  if (role === '') return;
  const schema = securityLogSchema(securityOf(admission.identity, { requireAuthorization: true, roles: [role] }));
  app.get(
    `${basePath}/helper/admin/security-log`,
    { schema, onRequest: (request) => requireRole(request, role, admission) },
    (request, reply) => {
      if (tenantAsking(request, options) !== undefined)
        throw new HelperError(
          'forbidden',
          'The security log is for all tenants, and is read in the log of the server.',
        );
      void reply.header('cache-control', 'no-store');
      return reply.send({ lines: admission.security.recent.newest() } satisfies SecurityLogLines);
    },
  );
}

/**
 * The tenant whose figures the caller gets; undefined for the figures of all callers. A user sees only the figures of their own tenant.
 * With an empty role nobody signs in, so all figures are shown.
 */
function tenantAsking(
  request: FastifyRequest,
  { role, admission }: Pick<DashboardChannelOptions, 'role' | 'admission'>,
): string | undefined {
  return role === '' ? undefined : tenantOf(admission.identity.of(request).principal);
}

/** Limits the reads that run at the same time, and refuses further ones. A read goes on even when nobody waits for it any more. */
function fewAtOnce(read: DashboardChannelOptions['read']): DashboardChannelOptions['read'] {
  let underWay = 0;
  return async (...asked) => {
    if (underWay >= mostReads) throw unavailable();
    underWay += 1;
    try {
      return await read(...asked);
    } finally {
      underWay -= 1;
    }
  };
}

/** Answers 401 without a user, and 403 without the role; the answer names the role. With an empty role nothing is required. */
async function requireRole(
  request: FastifyRequest,
  role: string,
  admission: DashboardChannelOptions['admission'],
): Promise<void> {
  if (role === '') {
    noted(request, admission, () => admission.guard.check(request));
    return;
  }
  await admit(request, { ...admission, authorization: { requireAuthorization: true, roles: [] } });
  if (admission.identity.of(request).principal.roles.has(role)) return;
  const details = { requiredRole: role };
  const refusal = new HelperError('forbidden', `The dashboard needs the role ${role}.`, { refusal: 'role', details });
  admission.security.noteRefusal(request, refusal);
  throw refusal;
}

function unavailable(cause?: unknown): HelperError {
  return new HelperError('storage_unavailable', 'The figures cannot be read now. Try again in a moment.', { cause });
}

async function inTime(reading: Promise<AdminMetrics>): Promise<AdminMetrics> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(unavailable()), readWithinMs);
  const read = reading.catch((error: unknown) => {
    throw error instanceof HelperError ? error : unavailable(error);
  });
  return Promise.race([read, promise]).finally(() => {
    clearTimeout(timer);
  });
}
