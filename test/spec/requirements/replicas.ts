import type { Requirement } from '../requirement.ts';

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
];
