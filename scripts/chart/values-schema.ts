import type { DescribedValue } from './described-values.ts';
import { configurationSchema, type JsonSchema } from './configuration-schema.ts';

const dnsName = '^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$';
const label = { type: 'string', pattern: '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$', maxLength: 40 };
const texts = { type: 'object', additionalProperties: { type: 'string' } };
/** An object that Kubernetes checks. */
const kubernetes = { type: 'object' };
const kubernetesList = { type: 'array', items: kubernetes };
const named = { type: 'array', items: { type: 'object', required: ['name'] } };
const hostName = { type: 'string', pattern: '^([a-z0-9]([a-z0-9.-]*[a-z0-9])?)?$' };

const pluginImage = {
  type: 'object',
  additionalProperties: false,
  required: ['reference'],
  properties: {
    reference: { type: 'string', minLength: 1, description: 'The image, best with its digest.' },
    path: { type: 'string', pattern: '^/', default: '/plugin', description: 'Folder of the plugin in the image.' },
    pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'], default: 'IfNotPresent' },
    mount: {
      enum: ['copy', 'volume'],
      default: 'copy',
      description: 'copy has an init container copy it; volume mounts the image, where the cluster can.',
    },
  },
};

/** The schemas of values whose default does not tell their type. */
const kinds: Readonly<Record<string, JsonSchema>> = {
  replicas: { type: 'integer', minimum: 0, maximum: 1000 },
  'autoscaling.minReplicas': { type: 'integer', minimum: 1, maximum: 1000 },
  'autoscaling.maxReplicas': { type: 'integer', minimum: 1, maximum: 1000 },
  'autoscaling.cpuUtilization': { type: ['integer', 'null'], minimum: 1, maximum: 1000 },
  'autoscaling.connectionsPerReplica': { type: ['integer', 'null'], minimum: 1 },
  'autoscaling.runningTurnsPerReplica': { type: ['integer', 'null'], minimum: 1 },
  'autoscaling.behavior': kubernetes,
  'podDisruptionBudget.maxUnavailable': { type: ['integer', 'string'], minimum: 1, pattern: '^[1-9][0-9]?%$' },
  topologySpreadConstraints: kubernetesList,
  preStopSeconds: { type: 'integer', minimum: 0, maximum: 600 },
  nameOverride: { type: 'string', maxLength: 63 },
  fullnameOverride: { type: 'string', maxLength: 52 },
  'image.repository': { type: 'string', minLength: 1 },
  'image.digest': { type: 'string', pattern: '^(sha256:[0-9a-f]{64})?$' },
  'image.pullPolicy': { enum: ['Always', 'IfNotPresent', 'Never'] },
  imagePullSecrets: named,
  secrets: { type: 'array', uniqueItems: true, items: { ...label, maxLength: 56 } },
  env: named,
  envFrom: kubernetesList,
  plugins: {
    type: 'array',
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['name'],
      properties: {
        name: { ...label, description: 'Name of its folder.' },
        files: { ...texts, minProperties: 1, description: 'Its files: names without folders, and what they hold.' },
        configMap: { type: 'string', pattern: dnsName, description: 'A ConfigMap whose keys are its files.' },
        image: pluginImage,
      },
      oneOf: [{ required: ['files'] }, { required: ['configMap'] }, { required: ['image'] }],
    },
  },
  'persistence.size': { type: 'string', pattern: '^[0-9]+(\\.[0-9]+)?([KMGT]i?|k)?$' },
  'persistence.accessMode': { enum: ['ReadWriteOnce', 'ReadWriteOncePod'] },
  'persistence.annotations': texts,
  'service.type': { enum: ['ClusterIP', 'NodePort', 'LoadBalancer'] },
  'service.port': { type: 'integer', minimum: 1, maximum: 65_535 },
  'service.annotations': texts,
  'ingress.host': hostName,
  'ingress.annotations': texts,
  'httpRoute.parentRefs': named,
  'httpRoute.host': hostName,
  'httpRoute.timeouts': {
    type: 'object',
    additionalProperties: false,
    properties: { request: { type: 'string' }, backendRequest: { type: 'string' } },
  },
  'httpRoute.annotations': texts,
  'networkPolicy.from': kubernetesList,
  'networkPolicy.metricsFrom': kubernetesList,
  'networkPolicy.egress': kubernetesList,
  'serviceMonitor.interval': { type: 'string', pattern: '^[0-9]+(ms|s|m|h)$' },
  'serviceMonitor.labels': texts,
  'serviceMonitor.authorization': kubernetes,
  'prometheusRule.labels': texts,
  'prometheusRule.groups': named,
  dashboards: texts,
  dashboardLabels: texts,
  'serviceAccount.annotations': texts,
  resources: kubernetes,
  probes: {
    type: 'object',
    additionalProperties: false,
    properties: { startup: kubernetes, liveness: kubernetes, readiness: kubernetes },
  },
  terminationGracePeriodSeconds: { type: ['integer', 'null'], minimum: 0 },
  podSecurityContext: kubernetes,
  containerSecurityContext: kubernetes,
  podAnnotations: texts,
  podLabels: texts,
  nodeSelector: texts,
  tolerations: kubernetesList,
  affinity: kubernetes,
  extraVolumes: named,
  extraVolumeMounts: named,
};

/** The schema of the values, in the draft that every version of Helm reads. Unknown keys are faults at every depth. */
export function valuesSchema(values: readonly DescribedValue[]): JsonSchema {
  const unknown = Object.keys(kinds).filter((path) => !values.some((value) => value.path === path));
  if (unknown.length > 0) throw new Error(`values.yaml has no ${unknown.join(', ')}`);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the helper chart',
    ...group(values, ''),
  };
}

function group(values: readonly DescribedValue[], prefix: string): JsonSchema {
  const members = values.filter(({ path }) => path.startsWith(prefix) && !path.slice(prefix.length).includes('.'));
  const properties = members.map(({ path, description, fallback }) => [
    path.slice(prefix.length),
    values.some((other) => other.path.startsWith(`${path}.`))
      ? group(values, `${path}.`)
      : { description, ...kindOf(path, fallback) },
  ]);
  // Helm passes the values of parent charts to every chart as `global`.
  if (prefix === '')
    properties.push(['global', { type: 'object', description: 'Of charts that hold this one; not read.' }]);
  return { type: 'object', additionalProperties: false, properties: Object.fromEntries(properties) as JsonSchema };
}

function kindOf(path: string, fallback: unknown): JsonSchema {
  if (path === 'config') return configurationSchema();
  const kind = kinds[path];
  if (kind !== undefined) return { ...kind, default: fallback };
  if (typeof fallback === 'string' || typeof fallback === 'boolean')
    return { type: typeof fallback, default: fallback };
  throw new Error(`scripts/chart/values-schema.ts does not know what ${path} may be`);
}
