import { mkdir, symlink } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { describeWithRenderer } from '../support/chart/describe-with-renderer.ts';
import { kubernetesFaults } from '../support/chart/kubernetes-faults.ts';
import { type KubernetesObject, type Rendered, renderChart, type Values } from '../support/chart/render-chart.ts';
import { PluginWorkbench, toolContext, toolNamed } from '../unit/adapters/plugin-directory/plugin-workbench.ts';
import { loadText } from '../unit/config/load-from-text.ts';
import { blocksIn, pages } from '../unit/docs/pages.ts';

const guide = 'docs/guides/kubernetes.md';
const blocks = blocksIn('yaml')
  .filter(({ page }) => page === guide)
  .map(({ line, code }) => ({ line, code, values: parse(code) as Values }));
/** What is for other programs of the cluster, and no values of the chart. */
const isOfOthers = ({ values }: { readonly values: Values }): boolean => 'apiVersion' in values || 'rules' in values;
const examples = blocks.filter((block) => !isOfOthers(block));

function render(values: Values): Rendered {
  const [rendered] = renderChart([values]);
  if (rendered === undefined) throw new Error('nothing was rendered');
  return rendered;
}

function ofKind(objects: readonly KubernetesObject[], kind: string): unknown {
  return objects.find((object) => object.kind === kind);
}

describeWithRenderer('the values in the guide to Kubernetes', () => {
  it.each(examples)('render without a fault, line $line', ({ values }) => {
    const { faults, error, objects } = render(values);
    expect({ faults, error }).toEqual({ faults: [], error: '' });
    expect(objects.flatMap(kubernetesFaults)).toEqual([]);
  });

  it.each(examples)('hold a configuration that the server takes, line $line', ({ values }) => {
    const { data } = ofKind(render(values).objects, 'ConfigMap') as { data: Readonly<Record<string, string>> };
    // Each secret is replaced by a text that is valid for its kind.
    const text = (data['helper.yaml'] ?? '').replaceAll(/\$\{file:([^}]+)\}/g, (_reference, file: string) =>
      file.endsWith('-callback') ? `whsec_${'A'.repeat(32)}` : 'x'.repeat(43),
    );
    const environment = {
      DATABASE_URL: 'postgres://helper@database/helper',
      HELPER_KEY: 'x'.repeat(43),
      REDIS_URL: 'redis://redis',
    };
    const { faults } = loadText(text, { environment });
    // Plugins, documents and skills exist only in the container, so faults about their folders are expected.
    const isThere = ({ message }: { readonly message: string }) =>
      message.startsWith('there is no directory /etc/helper/');
    expect(faults.filter((fault) => !isThere(fault))).toEqual([]);
  });

  it.each(examples.filter(({ code }) => /\/run\/secrets\/|ath: \/etc\/helper\//.test(code)))(
    'mount each Secret and each folder that they read, line $line',
    ({ code, values }) => {
      const { objects } = render(values);
      const { spec } = (ofKind(objects, 'StatefulSet') ?? ofKind(objects, 'Deployment')) as {
        spec: { template: { spec: { containers: [{ volumeMounts: { mountPath: string }[] }] } } };
      };
      const mounted = spec.template.spec.containers[0].volumeMounts.map(({ mountPath }) => mountPath);
      const read = [...code.matchAll(/\/run\/secrets\/[a-z-]+|\/etc\/helper\/(?:documents|skills)/g)].map(
        ([path]) => path,
      );
      expect(read.filter((path) => !mounted.includes(path))).toEqual([]);
    },
  );

  it('make what the commands of the guide name', () => {
    const set = ofKind(render({}).objects, 'StatefulSet') as {
      metadata: { name: string };
      spec: { volumeClaimTemplates: [{ metadata: { name: string } }] };
    };
    const [claim] = set.spec.volumeClaimTemplates;
    for (const name of [`statefulset/${set.metadata.name}`, `pod/${set.metadata.name}-0`])
      expect(pages.get(guide)).toContain(name);
    expect(pages.get(guide)).toContain(`delete pvc ${claim.metadata.name}-${set.metadata.name}-0`);
  });
});

describe('what the guide to Kubernetes gives other programs', () => {
  const [adapter, scaled] = blocks.filter(isOfOthers).map(({ code }) => code);

  // proves wire-10-85
  it('scale what the chart makes, by metrics that there are', () => {
    const { kind, spec } = parse(scaled ?? '') as {
      kind: string;
      spec: { scaleTargetRef: object; maxReplicaCount: number; triggers: { metadata: { query: string } }[] };
    };
    expect(kind).toBe('ScaledObject');
    expect(spec.scaleTargetRef).toEqual({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'desk-helper' });
    expect(pages.get(guide)).toContain(`external: true, maxReplicas: ${String(spec.maxReplicaCount)} }`);
    const queries = spec.triggers.map(({ metadata: { query } }) => query);
    const metrics = ['helperagent_connections', 'helperagent_running_turns'];
    expect(queries).toEqual(metrics.map((metric) => `sum(${metric}{namespace="desk"})`));
    const [{ seriesQuery }] = (parse(adapter ?? '') as { rules: [{ seriesQuery: string }] }).rules;
    const pattern = new RegExp(`^(?:${/__name__=~"([^"]+)"/.exec(seriesQuery)?.[1] ?? ''})$`);
    for (const metric of metrics) {
      expect(metric).toMatch(pattern);
      expect(pages.get('docs/reference/metrics.md')).toContain(`| \`${metric}\` `);
    }
  });
});

describe('a plugin in a ConfigMap', () => {
  it('loads through the links that Kubernetes mounts, and acts', async () => {
    const { plugins } = examples.find(({ values }) => 'plugins' in values)?.values as {
      plugins: [{ name: string; files: Readonly<Record<string, string>> }];
    };
    const [{ name, files }] = plugins;
    const version = '..2026_11_22_12_00_00.1234567890';
    const bench = await PluginWorkbench.open({ [`${name}/${version}/index.js`]: files['index.js'] ?? '' });
    await mkdir(bench.path(name), { recursive: true });
    await symlink(version, bench.path(`${name}/..data`));
    await symlink('..data/index.js', bench.path(`${name}/index.js`));
    const plugin = await bench.loadOne();
    const { value } = await toolNamed(plugin, 'get_time').execute({}, toolContext());
    expect(Date.parse((value as { time: string }).time)).not.toBeNaN();
    expect(bench.overlooked).toEqual([]);
  });
});
