import type { HelperSettings } from '../settings.ts';
import type { Rule, RuleFault } from './rule.ts';

/** Paths that are always there and never move (contract/addresses.md#paths). */
const fixedPaths = [
  '/helper/approve',
  '/helper/cancel',
  '/helper/session',
  '/helper/tour',
  '/helper/widget.js',
  '/helper/embed',
  '/helper/embed.js',
  '/helper/openapi.json',
  '/helper/admin',
  '/helper/admin/metrics',
  '/helper/admin/kill-switch',
  '/helper/admin/security-log',
  '/helper/feedback',
  '/helper/follow-ups',
] as const;
const demoPaths = ['/helper/demo', '/helper/demo/reset'] as const;
const rootPaths = ['/healthz', '/readyz'] as const;

interface ServedPath {
  readonly path: string;
  /** Undefined for paths that cannot be set. */
  readonly setting?: readonly string[];
}

/** Webhooks are signed, and told only of turns that are kept (contract/configuration.md#faults). */
export const webhooksRule: Rule = ({ server: { webhooks, durableTurns } }) => {
  const { hosts, secret } = webhooks;
  if (hosts.length === 0) return [];
  const path = ['server', 'webhooks'];
  const faults: RuleFault[] = hosts.flatMap((host, index) => {
    if (URL.canParse(`https://${host}`) && new URL(`https://${host}`).host === host) return [];
    const message = 'is not how addresses spell a host: without :443, and an address of IPv6 as short as it can be';
    return [{ path: [...path, 'hosts', index], message }];
  });
  const unsigned = 'is missing: it signs what the hosts of server.webhooks.hosts are told';
  if (secret === null) faults.push({ path: [...path, 'secret'], message: unsigned });
  const unkept = 'needs server.durableTurns: only turns that are kept go on without a reader';
  if (!durableTurns) faults.push({ path: [...path, 'hosts'], message: unkept });
  return faults;
};

/** No two endpoints share a path. */
export const serverPathsRule: Rule = (settings) => {
  const paths = servedPaths(settings);
  return paths.flatMap(({ path, setting }, index): readonly RuleFault[] => {
    if (setting === undefined) return [];
    const other = paths.find(
      (candidate, position) => candidate.path === path && (position < index || candidate.setting === undefined),
    );
    if (other === undefined) return [];
    return [
      { path: setting, message: `${path} is also the path of ${other.setting?.join('.') ?? 'another endpoint'}` },
    ];
  });
};

function servedPaths({
  server,
  endpoints,
  demoPage,
  mcpServerEnabled,
  mcpServerPath,
  a2aServerEnabled,
  a2aServerPath,
}: HelperSettings): readonly ServedPath[] {
  const below = (path: string): string => `${server.basePath}${path}`;
  const channels: readonly ServedPath[] = [
    ...(server.channels.includes('hub')
      ? [
          { path: below(server.hubPath), setting: ['server', 'hubPath'] },
          { path: below(`${server.hubPath}/negotiate`) },
        ]
      : []),
    ...(server.channels.includes('sse') ? [{ path: below(server.ssePath), setting: ['server', 'ssePath'] }] : []),
    ...(mcpServerEnabled
      ? [
          {
            path: below(endpoints.mcp?.path ?? mcpServerPath),
            setting: typeof endpoints.mcp?.path === 'string' ? ['endpoints', 'mcp', 'path'] : ['mcpServerPath'],
          },
        ]
      : []),
  ];
  const a2a = a2aServerEnabled
    ? [{ path: below(a2aServerPath), setting: ['a2aServerPath'] }, { path: below('/helper/agent-card-keys.json') }]
    : [];
  const openai = endpoints.openai.enabled
    ? ['/v1/chat/completions', '/v1/responses', '/v1/models'].map((path) => ({ path: below(path) }))
    : [];
  const agui = endpoints.agui.enabled ? [{ path: below('/agui') }] : [];
  const metrics =
    endpoints.metrics.port === null
      ? [{ path: endpoints.metrics.path, setting: ['endpoints', 'metrics', 'path'] }]
      : [];
  return [
    ...channels,
    ...a2a,
    ...openai,
    ...agui,
    ...metrics,
    ...[...fixedPaths, ...(demoPage ? demoPaths : [])].map((path) => ({ path: below(path) })),
    ...rootPaths.map((path) => ({ path })),
  ];
}

/** The port of the metrics must differ from the server's port. An address for the metrics without a port would have no effect. */
export const metricsPortRule: Rule = ({ server, endpoints: { metrics } }) => {
  const path = ['endpoints', 'metrics'] as const;
  if (metrics.port === null && metrics.host !== null) {
    return [
      { path: [...path, 'host'], message: 'has no effect without endpoints.metrics.port', follows: [...path, 'port'] },
    ];
  }
  const sameHost = metrics.host === null || metrics.host === server.host;
  if (metrics.port === null || metrics.port === 0 || metrics.port !== server.port || !sameHost) return [];
  const message = 'is also server.port; leave it out to serve the metrics there';
  return [{ path: [...path, 'port'], message, follows: ['server', 'port'] }];
};

/** With `*` and cookies together, every website could act as every signed-in visitor. */
export const anyOriginRule: Rule = ({ cors }) =>
  Object.entries(cors).flatMap(([name, { origins, credentials }]): readonly RuleFault[] => {
    const index = origins.indexOf('*');
    if (index === -1 || !credentials) return [];
    const message = `* is only possible with cors.${name}.credentials: false; or list the origins`;
    return [{ path: ['cors', name, 'origins', index], message, follows: ['cors', name, 'credentials'] }];
  });
