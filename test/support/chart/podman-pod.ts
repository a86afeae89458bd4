/**
 * Prints the input for `podman kube play`: `node test/support/chart/podman-pod.ts VALUES.yaml`. It is the pod that Kubernetes would make
 * of the chart's StatefulSet, with its ConfigMaps. Exits with 3 where the chart cannot be rendered.
 */
import { readFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';
import { isHere } from '../tools-here.ts';
import { buildRenderer, renderChart, type Values } from './render-chart.ts';

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
    // The annotations are left out, because podman allows shorter ones than Kubernetes.
    metadata: { labels: template.metadata.labels, name: 'desk-helper-0' },
    spec: {
      ...template.spec,
      // The pod shares this machine's network, so no port is published.
      containers: template.spec.containers.map(({ ports: _published, ...container }) => container),
      volumes: [...template.spec.volumes, ...claims],
    },
  };
}

if (isHere('chart')) {
  buildRenderer();
  const [rendered] = renderChart([parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Values]);
  if (rendered === undefined || rendered.objects.length === 0) throw new Error(JSON.stringify(rendered));
  const kept = rendered.objects.filter(({ kind }) => kind === 'ConfigMap');
  const set = rendered.objects.find(({ kind }) => kind === 'StatefulSet') as unknown as StatefulSet; // the object comes from our own chart
  process.stdout.write([...kept, podOf(set)].map((object) => stringify(object)).join('---\n'));
} else {
  process.exitCode = 3;
}
