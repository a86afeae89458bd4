import type { Requirement } from '../requirement.ts';

const snapshots = 'test/unit/core/sessions/snapshot/session-snapshots.test.ts';
const runTurn = 'test/unit/core/turn/run-turn.test.ts';
const loadSettings = 'test/unit/config/load-settings.test.ts';
const trimHistory = 'test/unit/core/turn/trim-history.test.ts';
const warnings = 'test/unit/config/warnings.test.ts';

/** service.md 2.9. */
export const serviceSection2Point9: readonly Requirement[] = [
  {
    id: 'service-2.9-01',
    source: 'service.md 2.9',
    says: 'MaxSessionMessages, 50 by default, are kept by the history.',
    tests: [
      { file: runTurn, title: 'keeps whole turns, newest last, up to maxSessionMessages' },
      { file: loadSettings, title: 'fills in every default of service.md 2.3 to 2.9' },
    ],
  },
  {
    id: 'service-2.9-02',
    source: 'service.md 2.9',
    says: 'Whole turns are removed, oldest first; tool calls and results count.',
    tests: [{ file: trimHistory, title: 'removes whole turns, oldest first, down to the limit' }],
  },
  {
    id: 'service-2.9-03',
    source: 'service.md 2.9',
    says: '0 or negative turns trimming off.',
    tests: [{ file: trimHistory, title: 'a limit of %i trims nothing' }],
  },
  {
    id: 'service-2.9-04',
    source: 'service.md 2.9',
    says: 'With a warning.',
    tests: [
      { file: warnings, title: 'no trimming (service.md 2.9)' },
      { file: warnings, title: 'less than nothing (service.md 2.9)' },
    ],
  },
  {
    id: 'service-2.9-20',
    source: 'service.md 2.9',
    says: 'A snapshot records how history is kept and a host that keeps it the other way refuses it.',
    tests: [
      { file: snapshots, title: 'history kept the other way is refused, and the live conversation stays untouched' },
    ],
  },
];
