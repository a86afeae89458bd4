import { expect, it } from 'vitest';
import { describeWithRenderer } from '../support/chart/describe-with-renderer.ts';
import { type KubernetesObject, type Rendered, renderChart, type Values } from '../support/chart/render-chart.ts';
import { replicated, sets } from '../support/chart/value-sets.ts';
import { pages } from '../unit/docs/pages.ts';

/** What the tests look at in a Deployment. */
interface Deployment {
  readonly replicas?: number;
  readonly progressDeadlineSeconds: number;
  readonly strategy: object;
  readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
  readonly template: { readonly metadata: { readonly labels: Readonly<Record<string, string>> }; readonly spec: Pod };
}

interface Pod {
  readonly terminationGracePeriodSeconds: number;
  readonly topologySpreadConstraints: readonly { readonly topologyKey: string; readonly whenUnsatisfiable: string }[];
  readonly containers: readonly [
    {
      readonly env: readonly { readonly name: string; readonly value?: string }[];
      readonly lifecycle?: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } };
    },
  ];
  readonly volumes: readonly { readonly name: string; readonly emptyDir?: object }[];
}

const all = (values: Values): Rendered => {
  const [rendered] = renderChart([values]);
  if (rendered === undefined) throw new Error('nothing was rendered');
  return rendered;
};

function objects(values: Values): readonly KubernetesObject[] {
  const { faults, error, objects: found } = all(values);
  expect([...faults, error]).toEqual(['']);
  return found;
}

/** The spec of the object of this kind. Undefined where none was made. */
function specOf(values: Values, kind: string): unknown {
  return objects(values).find((object) => object.kind === kind)?.['spec'];
}

const deployment = (values: Values): Deployment => specOf(values, 'Deployment') as Deployment;
const told = (values: Values): string | undefined =>
  deployment(values).template.spec.containers[0].env.find(({ name }) => name === 'HELPER__SCALEOUT__REPLICAS')?.value;

describeWithRenderer('the chart of several replicas (contract/replicas.md#deploying)', () => {
  // proves wire-10-80
  it('is a Deployment without a volume, and one server is a StatefulSet with its own', () => {
    const kinds = (values: Values): readonly string[] => objects(values).map(({ kind }) => kind);
    expect(kinds(replicated())).toEqual(expect.arrayContaining(['Deployment', 'PodDisruptionBudget']));
    expect(kinds(replicated())).not.toContain('StatefulSet');
    for (const set of [{}, sets['storage in PostgreSQL']])
      expect(kinds(set).filter((kind) => /Deployment|Budget|Autoscaler/.test(kind))).toEqual([]);
    const { volumes } = deployment(replicated()).template.spec;
    expect(volumes.find(({ name }) => name === 'data')).toEqual({ name: 'data', emptyDir: {} });
  });

  // proves wire-10-81
  it('takes no replica away before its successor is ready, and none too many when nodes are emptied', () => {
    const { strategy, selector, template } = deployment(replicated());
    expect(strategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } });
    expect(template.metadata.labels).toMatchObject(selector.matchLabels);
    expect(specOf(replicated(), 'PodDisruptionBudget')).toEqual({
      maxUnavailable: 1,
      unhealthyPodEvictionPolicy: 'AlwaysAllow',
      selector,
    });
    expect(specOf(replicated({ replicas: 1 }), 'PodDisruptionBudget')).toBeUndefined();
    expect(specOf(replicated({ podDisruptionBudget: { enabled: false } }), 'PodDisruptionBudget')).toBeUndefined();
  });

  // proves configuration-5-98
  it('counts an update as failed only once no start may take longer', () => {
    expect(deployment(replicated()).progressDeadlineSeconds).toBe(900 + 120);
    const startup = { periodSeconds: 2, failureThreshold: 1_800 };
    expect(deployment(replicated({ probes: { startup } })).progressDeadlineSeconds).toBe(3_600 + 120);
  });

  // proves wire-10-82
  it('spreads replicas over zones and nodes where there are some', () => {
    const spread = (values: Values): readonly string[] =>
      deployment(values).template.spec.topologySpreadConstraints.map(
        ({ topologyKey, whenUnsatisfiable }) => `${topologyKey} ${whenUnsatisfiable}`,
      );
    expect(spread(replicated())).toEqual([
      'topology.kubernetes.io/zone ScheduleAnyway',
      'kubernetes.io/hostname ScheduleAnyway',
    ]);
    expect(spread(sets['replicas spread in a way of their own'])).toEqual(['rack DoNotSchedule']);
  });

  // proves wire-10-83
  it.each([
    [undefined, 5, 40],
    ['1m', 5, 75],
    ['0s', 20, 30],
    ['25s', 0, 35],
  ])(
    'gives a replica time to leave its service, to end and to hand over: %s and %s s are %s s',
    (shutdownGrace, preStopSeconds, seconds) => {
      const server = shutdownGrace === undefined ? {} : { shutdownGrace };
      const { spec } = deployment(replicated({ preStopSeconds }, { server })).template;
      expect(spec.terminationGracePeriodSeconds).toBe(seconds);
      const command = preStopSeconds === 0 ? undefined : ['sleep', String(preStopSeconds)];
      expect(spec.containers[0].lifecycle?.preStop.exec.command).toEqual(command);
    },
  );

  // proves wire-10-84
  it('tells the servers how many there may be', () => {
    expect(told(replicated())).toBe('3');
    expect(told(replicated({ replicas: 0 }))).toBe('1');
    expect(told(sets['replicas that are scaled'])).toBe('20');
    expect(told(sets['replicas that another program scales'])).toBe('10');
  });

  // proves wire-10-85
  it('scales by CPU, connections and running turns, and leaves the number alone then', () => {
    const values = sets['replicas that are scaled'];
    expect(specOf(values, 'HorizontalPodAutoscaler')).toMatchObject({
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'desk-helper' },
      minReplicas: 2,
      maxReplicas: 20,
      metrics: [
        { resource: { name: 'cpu', target: { averageUtilization: 70 } } },
        { pods: { metric: { name: 'helperagent_connections' }, target: { averageValue: '8000' } } },
        { pods: { metric: { name: 'helperagent_running_turns' }, target: { averageValue: '300' } } },
      ],
    });
    expect(deployment(values).replicas).toBeUndefined();
    const external = sets['replicas that another program scales'];
    expect(specOf(external, 'HorizontalPodAutoscaler')).toBeUndefined();
    expect(deployment(external).replicas).toBeUndefined();
    for (const name of ['helperagent_connections', 'helperagent_running_turns'])
      expect(pages.get('docs/reference/metrics.md')).toContain(`\`${name}\``);
  });

  // proves wire-10-86
  it.each<[string, Values, string]>([
    ['without PostgreSQL', { replicas: 3 }, 'replicas is 3, and replicas share one database: set config.storage.type'],
    [
      'without Redis',
      replicated({}, { scaleOut: null }),
      'replicas reach each other over Redis: set config.scaleOut.type',
    ],
    [
      'without keys',
      replicated({}, { dataProtection: null }),
      'replicas share their keys: set config.dataProtection.keys',
    ],
    [
      'that scale without PostgreSQL',
      { autoscaling: { enabled: true } },
      'autoscaling is on, and replicas share one database',
    ],
    [
      'of which one is alone with Redis',
      replicated({ replicas: 1 }, { storage: null }),
      'config.scaleOut.type is redis, and replicas share one database',
    ],
    [
      'that scale from more to fewer',
      replicated({ autoscaling: { enabled: true, minReplicas: 4, maxReplicas: 3 } }),
      'more than autoscaling.maxReplicas',
    ],
    [
      'that scale by nothing',
      replicated({ autoscaling: { enabled: true, cpuUtilization: null } }),
      'nothing says by what',
    ],
    [
      'that scale by a part of nothing',
      replicated({ autoscaling: { enabled: true }, resources: { requests: { cpu: null } } }),
      'set that too',
    ],
  ])('refuses replicas %s with one sentence', (_about, values, sentence) => {
    const { faults, error, objects: found } = all(values);
    expect(faults).toEqual([]);
    expect(error).toContain(sentence);
    expect(found).toEqual([]);
  });

  it('says after an installation how to watch them, and that turns may go with their replica', () => {
    expect(all(replicated()).notes).toContain('rollout status deployment/desk-helper');
    expect(all(replicated()).notes).toContain('set config.server.durableTurns');
    expect(all(replicated({}, { server: { durableTurns: true } })).notes).not.toContain('durableTurns');
  });
});
