import type { Requirement } from '../requirement.ts';

const overBus = 'test/unit/core/ports/over-bus.test.ts';
const reload = 'test/unit/app/replicas/shared-reload.test.ts';
const replicas = 'test/integration/replicas.test.ts';
const window = 'test/unit/core/limits/shared-window.test.ts';
const scaleOut = 'test/unit/config/scale-out.test.ts';

/** Several servers that serve as one. */
export const replicaRequirements: readonly Requirement[] = [
  {
    id: 'configuration-5-70',
    tests: [
      { file: scaleOut, title: 'is off by default, for one server' },
      { file: scaleOut, title: 'may be %s' },
      { file: scaleOut, title: 'may have their keys in a file, and one server needs nothing' },
    ],
  },
  {
    id: 'configuration-5-71',
    tests: [
      { file: scaleOut, title: 'may not be %s' },
      { file: scaleOut, title: 'takes no address it would not understand, and shows no part of it: %s' },
      { file: scaleOut, title: 'shows nothing of %s either' },
    ],
  },
  { id: 'configuration-5-72', tests: [{ file: scaleOut, title: 'do not start without %s' }] },
  {
    id: 'wire-10-17',
    tests: [
      { file: replicas, title: 'start while Redis is away, serve, say so, and reach each other once it is there' },
      { file: replicas, title: 'stay ready when Redis %s, and reach each other again by themselves' },
    ],
  },
  {
    id: 'wire-10-18',
    tests: [
      {
        file: replicas,
        title: 'answer 503 cluster_unavailable for what only another replica can know while Redis is away',
      },
      {
        file: overBus,
        title: 'is 503 cluster_unavailable with Retry-After while the bus is away, and shows no address of Redis',
      },
      { file: overBus, title: 'gets what the other replica answers, and is told when there is no such replica' },
    ],
  },
  {
    id: 'wire-10-19',
    tests: [
      { file: replicas, title: 'show no password of Redis, also when Redis does not take it' },
      {
        file: overBus,
        title: 'is 503 cluster_unavailable with Retry-After while the bus is away, and shows no address of Redis',
      },
    ],
  },
  { id: 'wire-10-20', tests: [{ file: replicas, title: 'are not spoken of where there is one server' }] },
  {
    id: 'configuration-5-73',
    tests: [
      { file: replicas, title: 'count the messages of a user on all replicas together' },
      { file: replicas, title: 'let exactly as many of many messages at once through as there may be' },
      { file: replicas, title: 'count direct calls of a user on all replicas together, apart from messages' },
      { file: window, title: 'gives each kind of attempt its own count' },
    ],
  },
  {
    id: 'configuration-5-74',
    tests: [
      { file: replicas, title: 'are those of each replica while Redis %s' },
      { file: window, title: 'counts by itself while the bus is away, with what it has let through before' },
    ],
  },
  {
    id: 'configuration-5-75',
    tests: [{ file: window, title: 'lets one more through in the same window for one that was taken back' }],
  },
  {
    id: 'configuration-5-76',
    tests: [
      { file: replicas, title: 'is one of all replicas' },
      { file: reload, title: 'waits for the file of a replica that has not changed yet' },
      { file: replicas, title: 'is one of nobody when its file has faults' },
      { file: reload, title: 'is nobody’s when its file has faults, and faults of another replica stay there' },
    ],
  },
  {
    id: 'configuration-5-77',
    tests: [{ file: replicas, title: 'reaches a replica that missed it once Redis is back' }],
  },
  {
    id: 'configuration-5-78',
    tests: [{ file: replicas, title: 'reaches others over new keys, first known to all and then used' }],
  },
];
