import type { Requirement } from '../requirement.ts';

const runCommand = 'test/unit/cli/run-command.test.ts';
const specGapsServer = 'test/integration/spec-gaps-server.test.ts';

/** service.md 9. */
export const serviceSection9: readonly Requirement[] = [
  {
    id: 'service-9-01',
    source: 'service.md 9',
    says: 'The described interface is version 1.0.0.',
    tests: [
      { file: runCommand, title: 'says its version: %s' },
      { file: specGapsServer, title: 'is version 1.0.0, as the contract it serves' },
    ],
  },
];
