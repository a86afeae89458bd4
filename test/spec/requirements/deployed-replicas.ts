import type { Requirement } from '../requirement.ts';

const pauses = 'test/unit/widget/transport/reconnect-delay.test.ts';
const chart = 'test/integration/chart-replicas.test.ts';
const erasure = 'test/unit/core/erasure/user-erasure.test.ts';
const compose = 'test/integration/compose.test.ts';
const storm = 'test/unit/bench/return-storm.test.ts';

/** Replicas in Kubernetes and Docker Compose, and how many there should be. */
export const deployedReplicaRequirements: readonly Requirement[] = [
  {
    id: 'wire-10-80',
    tests: [{ file: chart, title: 'is a Deployment without a volume, and one server is a StatefulSet with its own' }],
  },
  {
    id: 'wire-10-81',
    tests: [
      {
        file: chart,
        title: 'takes no replica away before its successor is ready, and none too many when nodes are emptied',
      },
    ],
  },
  { id: 'wire-10-82', tests: [{ file: chart, title: 'spreads replicas over zones and nodes where there are some' }] },
  {
    id: 'wire-10-83',
    tests: [
      {
        file: chart,
        title: 'gives a replica time to leave its service, to end and to hand over: %s and %s s are %s s',
      },
    ],
  },
  { id: 'wire-10-84', tests: [{ file: chart, title: 'tells the servers how many there may be' }] },
  {
    id: 'wire-4-84',
    tests: [
      { file: erasure, title: 'takes the turns that a replica has kept whose clock is ahead' },
      { file: erasure, title: 'makes replicas refuse the snapshots that one has saved whose clock is ahead' },
      { file: erasure, title: 'leaves what a user does afterwards where one server at a time uses the storage' },
    ],
  },
  {
    id: 'wire-4-85',
    tests: [
      {
        file: 'test/unit/adapters/stores/replica-rows.test.ts',
        title: 'yield nothing when they were said before a fact was erased, by a clock that is ahead',
      },
    ],
  },
  {
    id: 'configuration-5-98',
    tests: [
      {
        file: 'test/unit/chart/chart-files.test.ts',
        title:
          'leave a start more time than it may wait, and a step of its migration may take (contract/replicas.md#deploying)',
      },
      {
        file: 'test/integration/chart-replicas.test.ts',
        title: 'counts an update as failed only once no start may take longer',
      },
    ],
  },
  {
    id: 'wire-10-85',
    tests: [
      { file: chart, title: 'scales by CPU, connections and running turns, and leaves the number alone then' },
      { file: 'test/integration/chart-guide.test.ts', title: 'scale what the chart makes, by metrics that there are' },
    ],
  },
  { id: 'wire-10-86', tests: [{ file: chart, title: 'refuses replicas %s with one sentence' }] },
  {
    id: 'wire-10-87',
    tests: [
      { file: compose, title: 'has replicas that are the same, and a proxy that takes turns between them' },
      { file: compose, title: 'serve as one behind a proxy that takes turns' },
    ],
  },
  {
    id: 'wire-10-88',
    tests: [
      { file: storm, title: 'says what is played with the pauses of the widget: $title' },
      { file: 'test/unit/bench/scaling-tables.test.ts', title: 'are not stale; else run npm run generate' },
    ],
  },
  {
    id: 'wire-10-89',
    tests: [
      {
        file: pauses,
        title:
          'is spread, so that pages do not come back all at once: idle ones over 3 s, those that wait for a reply over 250 ms',
      },
      { file: pauses, title: 'waits longer from attempt to attempt, at most 30 s and the spread' },
      {
        file: pauses,
        title: 'is spread before the line is restored as well, over less time than the loss is announced after',
      },
      {
        file: 'test/unit/widget/conversation/waiting-message.test.ts',
        title: 'is hurried back while a reply is awaited, and only then',
      },
    ],
  },
];
