import type { Values } from './render-chart.ts';

/** Values with settings of the section `server`. */
export const server = (settings: Values): Values => ({ config: { server: settings } });
/** The host name under which users reach the server. */
export const host = 'chat.example.com';
/** The address of that host. */
export const publicUrl = `https://${host}`;
const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;
/** Values with plugins for the server. */
export const plugins = (...list: readonly Values[]): Values => ({
  plugins: list,
  config: { actions: { plugins: ['/etc/helper/plugins'] } },
});
/** A plugin whose files stand in the values. */
export const files = { 'index.js': "export default { name: 'orders', actions: [] };\n" };

/** Values of three replicas, with the further values and the further settings of `config`. */
export const replicated = (more: Values = {}, config: Values = {}) => ({
  replicas: 3,
  ...more,
  config: {
    storage: { type: 'postgres', url: '${DATABASE_URL}' },
    scaleOut: { type: 'redis', url: '${REDIS_URL}' },
    dataProtection: { keys: ['${HELPER_KEY}'] },
    ...config,
  },
});

/** Sets of values by their subject. Each is rendered and checked against Kubernetes' schemas. */
export const sets = {
  'nothing given': {},
  stopped: { replicas: 0 },
  'names of its own': { fullnameOverride: 'assistant', nameOverride: 'desk' },
  'an image by its digest': { image: { repository: 'registry.example.com/helper', digest } },
  'an image that needs credentials': { imagePullSecrets: [{ name: 'registry' }], image: { pullPolicy: 'Always' } },
  'secrets, variables and all variables of a Secret': {
    secrets: ['helper', 'helper-models'],
    env: [{ name: 'NODE_EXTRA_CA_CERTS', value: '/etc/ca/ca.pem' }],
    envFrom: [{ secretRef: { name: 'helper-environment' } }],
  },
  'a plugin written out': plugins({ name: 'orders', files }),
  'a plugin from a ConfigMap': plugins({ name: 'orders', configMap: 'orders-plugin' }),
  'plugins from images': plugins(
    { name: 'orders', image: { reference: `registry.example.com/orders@${digest}`, path: '/srv/orders' } },
    { name: 'cases', image: { reference: 'registry.example.com/cases:1', mount: 'volume', pullPolicy: 'Always' } },
  ),
  'no volume': { persistence: { enabled: false } },
  'storage in memory': { config: { storage: { type: 'memory' } } },
  'storage in PostgreSQL': {
    secrets: ['helper'],
    config: {
      storage: { type: 'postgres', url: '${DATABASE_URL}' },
      dataProtection: { keys: ['${HELPER_KEY}'] },
    },
    env: [
      { name: 'DATABASE_URL', valueFrom: { secretKeyRef: { name: 'helper', key: 'database-url' } } },
      { name: 'HELPER_KEY', valueFrom: { secretKeyRef: { name: 'helper', key: 'key' } } },
    ],
  },
  'three replicas': replicated({
    env: ['DATABASE_URL', 'REDIS_URL', 'HELPER_KEY'].map((name) => ({
      name,
      valueFrom: { secretKeyRef: { name: 'helper', key: name.toLowerCase() } },
    })),
  }),
  'replicas that are scaled': replicated({
    autoscaling: { enabled: true, maxReplicas: 20, connectionsPerReplica: 8000, runningTurnsPerReplica: 300 },
    resources: { requests: { cpu: '1' } },
  }),
  'replicas that another program scales': replicated({ autoscaling: { enabled: true, external: true } }),
  'replicas spread in a way of their own': replicated({
    podDisruptionBudget: { maxUnavailable: '25%' },
    preStopSeconds: 0,
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: 'rack', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} },
    ],
  }),
  'a claim of its own': { persistence: { existingClaim: 'helper-data' } },
  'a volume of another class': {
    persistence: { size: '10Gi', storageClassName: 'fast', accessMode: 'ReadWriteOncePod', annotations: { a: 'b' } },
  },
  'a port of its own, behind a load balancer': {
    service: { type: 'LoadBalancer', port: 8443, annotations: { a: 'b' } },
    ...server({ port: 9000 }),
  },
  'https by the server': server({ tls: { certFile: '/run/secrets/tls/tls.crt', keyFile: '/run/secrets/tls/tls.key' } }),
  'sections that are null': { config: { server: null, storage: null, endpoints: null } },
  'an ingress': { ingress: { enabled: true, host }, ...server({ publicUrl }) },
  'an ingress with everything': {
    ingress: { enabled: true, host, className: 'nginx', tlsSecretName: 'chat-tls', annotations: { a: 'b' } },
    ...server({ hosts: [host], securityContact: 'mailto:security@example.com' }),
  },
  'a route of the Gateway API': {
    httpRoute: {
      enabled: true,
      host,
      parentRefs: [{ name: 'public', namespace: 'gateways' }],
      timeouts: { request: '0s' },
    },
    ...server({ publicUrl }),
  },
  'a network policy': { networkPolicy: { enabled: true } },
  'a network policy in both directions': {
    networkPolicy: {
      enabled: true,
      from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress' } } }],
      metricsFrom: [{ podSelector: { matchLabels: { app: 'prometheus' } } }],
      restrictEgress: true,
      egress: [{ to: [{ ipBlock: { cidr: '0.0.0.0/0', except: ['10.0.0.0/8'] } }], ports: [{ port: 443 }] }],
    },
    config: { endpoints: { metrics: { port: 9090 } } },
  },
  'a service monitor': { serviceMonitor: { enabled: true, labels: { release: 'prometheus' } } },
  'a service monitor with a token and a port of its own': {
    serviceMonitor: { enabled: true, authorization: { credentials: { name: 'metrics', key: 'token' } } },
    config: { endpoints: { metrics: { port: 9090, path: '/numbers', token: '${METRICS_TOKEN}' } } },
  },
  'the rules and the dashboard of the chart': {
    prometheusRule: { enabled: true },
    grafanaDashboard: { enabled: true },
  },
  'rules and a dashboard beside those of the chart': {
    grafanaDashboard: { enabled: true },
    prometheusRule: {
      enabled: true,
      labels: { release: 'prometheus' },
      groups: [
        { name: 'helper', rules: [{ alert: 'Down', expr: 'up == 0', for: '5m', labels: { severity: 'page' } }] },
      ],
    },
    dashboards: { turns: '{"title":"Turns"}' },
  },
  'a service account': { serviceAccount: { create: true, annotations: { a: 'b' } } },
  'a place of its own': {
    nodeSelector: { disk: 'fast' },
    tolerations: [{ key: 'chat', operator: 'Exists' }],
    affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
    priorityClassName: 'high',
    podAnnotations: { a: 'b' },
    podLabels: { team: 'desk' },
    resources: { limits: { memory: '1Gi' } },
  },
  'volumes beside its own': {
    extraVolumes: [{ name: 'ca', configMap: { name: 'ca' } }],
    extraVolumeMounts: [{ name: 'ca', mountPath: '/etc/ca', readOnly: true }],
  },
  'users chosen by the cluster': { podSecurityContext: { runAsUser: null, runAsGroup: null, fsGroup: null } },
  'other probes and a longer end': {
    probes: { startup: { failureThreshold: 900 }, liveness: { periodSeconds: 30 } },
    terminationGracePeriodSeconds: 120,
  },
} as const satisfies Readonly<Record<string, Values>>;
