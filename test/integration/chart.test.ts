import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { describeWithRenderer } from '../support/chart/describe-with-renderer.ts';
import { kubernetesFaults } from '../support/chart/kubernetes-faults.ts';
import { type KubernetesObject, renderChart, type Values } from '../support/chart/render-chart.ts';
import { dashboardText, groups } from '../support/monitoring/monitoring-files.ts';
import { files, host, plugins, publicUrl, server, sets } from '../support/chart/value-sets.ts';
import { loadText } from '../unit/config/load-from-text.ts';

/** One pod's part of a StatefulSet, as far as the tests look at it. */
interface PodSpec {
  readonly securityContext: object;
  readonly terminationGracePeriodSeconds: number;
  readonly initContainers?: readonly Container[];
  readonly containers: readonly [Container];
  readonly volumes: readonly Readonly<Record<string, unknown>>[];
}

interface Container {
  readonly securityContext: object;
  readonly image: string;
  readonly command?: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string; readonly subPath?: string }[];
  readonly livenessProbe: { readonly httpGet: { readonly scheme: string } };
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
}

const only = (values: Values): ReturnType<typeof renderChart>[number] => {
  const [rendered] = renderChart([values]);
  if (rendered === undefined) throw new Error('nothing was rendered');
  return rendered;
};

function ofKind(objects: readonly KubernetesObject[], kind: string): KubernetesObject | undefined {
  return objects.find((object) => object.kind === kind);
}

/** The spec of an object that must exist. The first test has checked the object against the schemas of Kubernetes. */
function specOf(objects: readonly KubernetesObject[], kind: string): unknown {
  const found = ofKind(objects, kind);
  if (found === undefined) throw new Error(`no ${kind} was rendered`);
  return found['spec'];
}

function pod(values: Values): PodSpec {
  const { faults, error, objects } = only(values);
  expect([...faults, error]).toEqual(['']);
  return (specOf(objects, 'StatefulSet') as { template: { spec: PodSpec } }).template.spec;
}

describeWithRenderer('the chart', () => {
  it('renders only what the schemas of Kubernetes know, with each of these values', () => {
    const rendered = renderChart(Object.values(sets));
    const said = Object.keys(sets).map((about, index) => {
      const { faults = [], error = 'nothing', objects = [] } = rendered[index] ?? {};
      return [about, [...faults, error, ...objects.flatMap(kubernetesFaults)].filter((text) => text !== '')];
    });
    expect(Object.fromEntries(said)).toEqual(Object.fromEntries(Object.keys(sets).map((about) => [about, []])));
    const kinds = new Set(rendered.flatMap(({ objects }) => objects.map(({ kind }) => kind)));
    expect([...kinds].sort()).toEqual([
      'ConfigMap',
      'Deployment',
      'HTTPRoute',
      'HorizontalPodAutoscaler',
      'Ingress',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'PrometheusRule',
      'Service',
      'ServiceAccount',
      'ServiceMonitor',
      'StatefulSet',
    ]);
  });

  it('gives the server a configuration that it takes, with each of these values', () => {
    const configurations = renderChart(Object.values(sets)).map(({ objects }) => {
      const { data } = ofKind(objects, 'ConfigMap') as unknown as { data: Readonly<Record<string, string>> };
      return data['helper.yaml'] ?? '';
    });
    const environment = {
      METRICS_TOKEN: 'long-enough',
      DATABASE_URL: 'postgres://helper@database/helper',
      REDIS_URL: 'redis://redis',
      HELPER_KEY: Buffer.alloc(32).toString('base64'),
    };
    const faults = configurations.flatMap((text) => loadText(text, { environment }).faults);
    // The plugins exist only in the container, so faults about their folders are expected.
    expect(faults.filter(({ path }) => !/^(actions\.plugins|server\.tls)/.test(path))).toEqual([]);
  });

  it('hands the configuration over without changing a value', () => {
    const config = {
      appName: 'yes',
      appDescription: 'Two lines,\nand: a colon # and a hash.\n',
      primaryColor: '#0a7',
      limits: undefined,
      confirmationTimeout: '00:15:00',
      server: { maxConnections: 20_000_000 },
    };
    const { objects } = only({ config });
    const { data } = ofKind(objects, 'ConfigMap') as unknown as { data: Readonly<Record<string, string>> };
    const { limits: _none, ...expected } = config;
    expect(parse(data['helper.yaml'] ?? '')).toMatchObject(expected);
  });

  it.each<[string, Values, string]>([
    ['a key that no value has', { replica: 1 }, 'Additional property replica is not allowed'],
    ['a key that no group has', { image: { name: 'x' } }, 'Additional property name is not allowed'],
    ['a setting that the server does not know', server({ prot: 1 }), 'Additional property prot is not allowed'],
    ['a setting that would be wrong', server({ port: 70_000 }), 'config.server.port'],
    ['a setting that the chart needs, as a reference', server({ port: '${PORT}' }), 'config.server.port'],
    ['a plugin that comes from two places', plugins({ name: 'orders', files, configMap: 'x' }), 'plugins.0'],
    ['a plugin that comes from nowhere', plugins({ name: 'orders' }), 'plugins.0'],
    ['a digest that is none', { image: { digest: 'sha256:1' } }, 'image.digest'],
    ['storage that is not below the root', { config: { storage: { path: 'data' } } }, 'config.storage.path'],
  ])('finds %s', (_about, values, fault) => {
    expect(only(values).faults.join('\n')).toContain(fault);
  });

  it.each<[string, Values, string]>([
    [
      'a name that the server would refuse',
      { ingress: { enabled: true, host } },
      'set config.server.publicUrl to https://chat.example.com',
    ],
    ['an ingress without a name', { ingress: { enabled: true } }, 'ingress.enabled needs ingress.host'],
    [
      'a route without a gateway',
      { httpRoute: { enabled: true, host }, ...server({ publicUrl }) },
      'needs httpRoute.parentRefs',
    ],
    [
      'a scrape that would be refused',
      { serviceMonitor: { enabled: true }, config: { endpoints: { metrics: { token: 'long-enough' } } } },
      'serviceMonitor.authorization.credentials',
    ],
    [
      'two dashboards of one name',
      { grafanaDashboard: { enabled: true }, dashboards: { helper: '{}' } },
      'give yours another name',
    ],
    [
      'a database whose key would go with the pod',
      { config: { storage: { type: 'postgres', url: '${DATABASE_URL}' } } },
      'set config.dataProtection.keys',
    ],
    [
      'plugins that nothing loads',
      { plugins: [{ name: 'orders', files }] },
      'set config.actions.plugins to [/etc/helper/plugins]',
    ],
    [
      'plugins in another directory',
      { plugins: [{ name: 'orders', files }], config: { actions: { plugins: ['plugins'] } } },
      'set config.actions.plugins to [/etc/helper/plugins]',
    ],
    [
      'plugins of one name',
      plugins({ name: 'orders', files }, { name: 'orders', configMap: 'x' }),
      'Two plugins are called orders',
    ],
  ])('refuses %s with a sentence', (_about, values, sentence) => {
    expect(only(values).error).toContain(sentence);
  });

  it.each([
    [undefined, 30],
    ['25s', 30],
    ['1.5m', 95],
    ['1 h', 3605],
    ['500ms', 6],
    ['00:02:00', 125],
    ['1.00:00:01', 86_406],
    ['0', 5],
    [0, 5],
  ])('lets the server end in its own time: shutdownGrace %s gives %s seconds', (shutdownGrace, seconds) => {
    const settings = shutdownGrace === undefined ? {} : { shutdownGrace };
    expect(pod(server(settings)).terminationGracePeriodSeconds).toBe(seconds);
  });

  it('stays at the restricted level of the pod security standards, with its init containers', () => {
    const { securityContext, containers, initContainers = [] } = pod(sets['plugins from images']);
    expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(initContainers.length).toBe(1);
    for (const container of [...containers, ...initContainers]) {
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  it('asks the probes over https where the server speaks it', () => {
    const tls = { certFile: '/run/secrets/tls/tls.crt', keyFile: '/run/secrets/tls/tls.key' };
    expect(pod({}).containers[0].livenessProbe.httpGet.scheme).toBe('HTTP');
    expect(pod(server({ tls })).containers[0].livenessProbe.httpGet.scheme).toBe('HTTPS');
  });

  it('lets the file decide where the server listens and stores, over the variables of the image', () => {
    const { env, volumeMounts } = pod({ config: { server: { host: '::' }, storage: { path: '/var/helper' } } })
      .containers[0];
    expect(env).toContainEqual({ name: 'HELPER__SERVER__HOST', value: '::' });
    expect(env).toContainEqual({ name: 'HELPER__STORAGE__PATH', value: '/var/helper' });
    expect(volumeMounts).toContainEqual({ name: 'data', mountPath: '/var/helper' });
  });

  it('takes a volume for a file of SQLite alone', () => {
    const volumes = (values: Values): unknown =>
      (ofKind(only(values).objects, 'StatefulSet') as unknown as { spec: { volumeClaimTemplates?: unknown } }).spec
        .volumeClaimTemplates;
    expect(volumes({})).toBeDefined();
    expect(volumes(sets['storage in PostgreSQL'])).toBeUndefined();
    expect(volumes(sets['storage in memory'])).toBeUndefined();
  });

  it('opens the ports of the configuration', () => {
    const { ports } = pod({ config: { server: { port: 9000 }, endpoints: { metrics: { port: 9090 } } } }).containers[0];
    expect(ports.map(({ name, containerPort }) => [name, containerPort])).toEqual([
      ['http', 9000],
      ['metrics', 9090],
    ]);
  });

  it('shows users the chat and the widget, and neither metrics nor probes', () => {
    const ingress = { enabled: true, host };
    const pathsWith = (settings: Values, more: Values = {}): readonly string[] => {
      const { objects } = only({ ingress, config: { server: { publicUrl, ...settings }, ...more } });
      const { rules } = specOf(objects, 'Ingress') as {
        rules: [{ http: { paths: { path: string; pathType: string }[] } }];
      };
      return rules[0].http.paths.map(({ path, pathType }) => `${pathType} ${path}`);
    };
    expect(pathsWith({})).toEqual(['Prefix /helper', 'Prefix /helper-hub']);
    expect(pathsWith({ basePath: '/a', hubPath: '/hub', ssePath: '/chat' }, { demoPage: true })).toEqual([
      'Prefix /a/helper',
      'Prefix /a/hub',
      'Prefix /a/chat',
      'Exact /a/',
    ]);
    expect(pathsWith({ securityContact: 'mailto:a@example.com' })).toContain('Exact /.well-known/security.txt');
  });

  it('makes a new pod when the configuration or a plugin has changed', () => {
    const checksum = (values: Values): unknown =>
      (specOf(only(values).objects, 'StatefulSet') as { template: { metadata: { annotations: Values } } }).template
        .metadata.annotations['checksum/config'];
    const orders = checksum(plugins({ name: 'orders', files }));
    expect(checksum({})).toBe(checksum({ podLabels: { team: 'desk' } }));
    expect(checksum({})).not.toBe(checksum({ config: { appName: 'Desk' } }));
    // A running server reads this change from the file, so the pod need not restart.
    expect(checksum({})).toBe(checksum({ config: { killSwitch: { writes: true } } }));
    expect(orders).not.toBe(checksum(plugins({ name: 'orders', files: { 'index.js': 'export default {};\n' } })));
  });

  it('copies plugins out of images, or mounts their images', () => {
    const { initContainers = [], containers, volumes } = pod(sets['plugins from images']);
    expect(initContainers.map(({ command }) => command)).toEqual([['cp', '-R', '/srv/orders/.', '/to/']]);
    expect(containers[0].volumeMounts.filter(({ mountPath }) => mountPath.startsWith('/etc/helper/plugins/'))).toEqual([
      { name: 'plugin-orders', mountPath: '/etc/helper/plugins/orders', readOnly: true },
      { name: 'plugin-cases', mountPath: '/etc/helper/plugins/cases', readOnly: true, subPath: 'plugin' },
    ]);
    expect(volumes).toContainEqual({
      name: 'plugin-cases',
      image: { reference: 'registry.example.com/cases:1', pullPolicy: 'Always' },
    });
  });

  // proves wire-6-38
  it('hands out the rules and the dashboard as they are, with others beside them (contract/operations.md#rules-and-dashboard)', () => {
    const own = only(sets['the rules and the dashboard of the chart']).objects;
    expect(specOf(own, 'PrometheusRule')).toEqual({ groups });
    const filesOf = (objects: readonly KubernetesObject[]): unknown =>
      objects.find((object) => (object['metadata'] as { name: string }).name === 'desk-helper-dashboards')?.['data'];
    expect(filesOf(own)).toEqual({ 'helper.json': dashboardText });
    const values = sets['rules and a dashboard beside those of the chart'];
    const both = only(values).objects;
    expect(specOf(both, 'PrometheusRule')).toEqual({ groups: [...groups, ...values.prometheusRule.groups] });
    expect(filesOf(both)).toEqual({ 'helper.json': dashboardText, 'turns.json': '{"title":"Turns"}' });
    expect(filesOf(only({}).objects)).toBeUndefined();
  });

  it('says after an installation what is missing', () => {
    expect(only({}).notes).toContain('Nobody signs in');
    expect(only({}).notes).toContain('port-forward service/desk-helper 8080:80');
    expect(only(sets['an ingress']).notes).toContain('set config.server.trustProxy');
    expect(only(sets['an ingress']).notes).toContain(`<script async src="${publicUrl}/helper/widget.js">`);
    expect(only({ persistence: { enabled: false } }).notes).toContain('Nothing is kept');
    expect(only({ replicas: 0 }).notes).toContain('The server is stopped');
    expect(only(sets['storage in PostgreSQL']).notes).not.toContain('Nothing is kept');
  });
});

describeWithRenderer('the check against the schemas of Kubernetes', () => {
  const broken = (
    change: (pod: Record<string, unknown>, container: Record<string, unknown>) => void,
  ): readonly string[] => {
    const set = ofKind(only({}).objects, 'StatefulSet');
    const { template } = set?.['spec'] as { template: { spec: Record<string, unknown> } }; // rendered above
    const [container] = template.spec['containers'] as [Record<string, unknown>];
    change(template.spec, container);
    return set === undefined ? [] : kubernetesFaults(set);
  };

  it('finds unknown keys at every depth, wrong types and missing keys', () => {
    expect(broken(() => undefined)).toEqual([]);
    expect(broken((spec) => (spec['hostNetwrok'] = true))).toEqual(['/spec/template/spec/hostNetwrok is not known']);
    expect(broken((_spec, container) => (container['prots'] = []))).toEqual([
      '/spec/template/spec/containers/0/prots is not known',
    ]);
    expect(broken((_spec, container) => (container['env'] = [{ name: 'A', valeu: 'b' }]))).toEqual([
      '/spec/template/spec/containers/0/env/0/valeu is not known',
    ]);
    expect(broken((_spec, container) => (container['tty'] = 'yes')).join()).toContain('tty');
    expect(broken((_spec, container) => delete container['name']).join()).toContain('name');
    expect(kubernetesFaults({ apiVersion: 'v1', kind: 'Pood' })).toEqual(['v1 Pood is not known']);
  });
});
