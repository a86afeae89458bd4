import type { Requirement } from '../requirement.ts';

const sealer = 'test/unit/adapters/snapshots/aes-snapshot-sealer.test.ts';
const snapshots = 'test/unit/core/sessions/snapshot/session-snapshots.test.ts';

/** The statements whose ids begin with `service-2.22`. */
export const serviceSection2Point22: readonly Requirement[] = [
  {
    id: 'service-2.22-01',
    tests: [
      { file: sealer, title: 'begins with hs1 and the id of its key in the clear, and shows nothing else' },
      { file: sealer, title: 'is refused with any one character changed' },
    ],
  },
  {
    id: 'service-2.22-02',
    tests: [{ file: snapshots, title: 'the user who saved it, and no other' }],
  },
  {
    id: 'service-2.22-03',
    tests: [
      { file: snapshots, title: 'every anonymous visitor, when it was saved without sign-in, and no user' },
      { file: sealer, title: 'is refused to another application with the same keys' },
    ],
  },
];
