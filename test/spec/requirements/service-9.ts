import type { Requirement } from '../requirement.ts';

const snapshots = 'test/unit/core/sessions/snapshot/session-snapshots.test.ts';
const runCommand = 'test/unit/cli/run-command.test.ts';
const specGapsServer = 'test/integration/spec-gaps-server.test.ts';

/** The statements whose ids begin with `service-9`. */
export const serviceSection9: readonly Requirement[] = [
  {
    id: 'service-9-01',
    tests: [
      { file: runCommand, title: 'says its version: %s' },
      { file: specGapsServer, title: 'is version 1.0.0, as the contract it serves' },
    ],
  },
  {
    id: 'service-9-20',
    tests: [{ file: snapshots, title: 'another version is refused, and the live conversation stays untouched' }],
  },
];
