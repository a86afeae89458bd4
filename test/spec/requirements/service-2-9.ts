import type { Requirement } from '../requirement.ts';

const snapshots = 'test/unit/core/sessions/snapshot/session-snapshots.test.ts';
const runTurn = 'test/unit/core/turn/run-turn.test.ts';
const loadSettings = 'test/unit/config/load-settings.test.ts';
const trimHistory = 'test/unit/core/turn/trim-history.test.ts';
const warnings = 'test/unit/config/warnings.test.ts';

/** The statements whose ids begin with `service-2.9`. */
export const serviceSection2Point9: readonly Requirement[] = [
  {
    id: 'service-2.9-01',
    tests: [
      { file: runTurn, title: 'keeps whole turns, newest last, up to maxSessionMessages' },
      { file: loadSettings, title: 'fills in every default of contract/assistant.md and contract/sessions.md#length' },
    ],
  },
  {
    id: 'service-2.9-02',
    tests: [{ file: trimHistory, title: 'removes whole turns, oldest first, down to the limit' }],
  },
  {
    id: 'service-2.9-03',
    tests: [{ file: trimHistory, title: 'a limit of %i trims nothing' }],
  },
  {
    id: 'service-2.9-04',
    tests: [
      { file: warnings, title: 'no trimming (contract/sessions.md#length)' },
      { file: warnings, title: 'less than nothing (contract/sessions.md#length)' },
    ],
  },
  {
    id: 'service-2.9-20',
    tests: [
      { file: snapshots, title: 'history kept the other way is refused, and the live conversation stays untouched' },
    ],
  },
];
