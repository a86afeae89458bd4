/**
 * Prints what `podman kube play` takes of the chart: `node test/support/chart/podman-pod.ts VALUES.yaml`. A pod as Kubernetes would
 * make it of the StatefulSet, with its ConfigMaps. Exits with 3 where the chart cannot be rendered.
 */
import { readFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';
import { buildRenderer, canRender, renderChart, type Values } from './render-chart.ts';

interface StatefulSet {
  readonly spec: {
    readonly template: { readonly metadata: { readonly labels: object }; readonly spec: PodSpec };
    readonly volumeClaimTemplates: readonly { readonly metadata: { readonly name: string } }[];
  };
}

interface PodSpec {
  readonly containers: readonly Readonly<Record<string, unknown>>[];
  readonly volumes: readonly unknown[];
}

function podOf({ spec: { template, volumeClaimTemplates } }: StatefulSet): object {
  const claims = volumeClaimTemplates.map(({ metadata: { name } }) => ({
    name,
    persistentVolumeClaim: { claimName: `${name}-desk-helper-0` },
  }));
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    // Without annotations, which Kubernetes lets be longer than podman does.
    metadata: { labels: template.metadata.labels, name: 'desk-helper-0' },
    spec: {
      ...template.spec,
      // The pod shares the network of this machine, where nothing is published.
      containers: template.spec.containers.map(({ ports: _published, ...container }) => container),
      volumes: [...template.spec.volumes, ...claims],
    },
  };
}

if (canRender) {
  buildRenderer();
  const [rendered] = renderChart([parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Values]);
  if (rendered === undefined || rendered.objects.length === 0) throw new Error(JSON.stringify(rendered));
  const kept = rendered.objects.filter(({ kind }) => kind === 'ConfigMap');
  const set = rendered.objects.find(({ kind }) => kind === 'StatefulSet') as unknown as StatefulSet; // of our own chart
  process.stdout.write([...kept, podOf(set)].map((object) => stringify(object)).join('---\n'));
} else {
  process.exitCode = 3;
}
