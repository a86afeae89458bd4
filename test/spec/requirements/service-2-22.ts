import type { Requirement } from '../requirement.ts';

const sealer = 'test/unit/adapters/snapshots/aes-snapshot-sealer.test.ts';
const snapshots = 'test/unit/core/sessions/snapshot/session-snapshots.test.ts';

/** service.md 2.22. */
export const serviceSection2Point22: readonly Requirement[] = [
  {
    id: 'service-2.22-01',
    source: 'service.md 2.22',
    says: 'The snapshot is opaque text that the client cannot read or edit.',
    tests: [
      { file: sealer, title: 'begins with hs1 and the id of its key in the clear, and shows nothing else' },
      { file: sealer, title: 'is refused with any one character changed' },
    ],
  },
  {
    id: 'service-2.22-02',
    source: 'service.md 2.22',
    says: 'Only the user of the connection can restore it.',
    tests: [{ file: snapshots, title: 'the user who saved it, and no other' }],
  },
  {
    id: 'service-2.22-03',
    source: 'service.md 2.22',
    says: 'Without sign-in it is bound to the application only.',
    tests: [
      { file: snapshots, title: 'every anonymous visitor, when it was saved without sign-in, and no user' },
      { file: sealer, title: 'is refused to another application with the same keys' },
    ],
  },
];
