import type { Requirement } from '../requirement.ts';

const cli = 'test/integration/cli.test.ts';
const specGapsServer = 'test/integration/spec-gaps-server.test.ts';
const rules = 'test/unit/config/rules.test.ts';

/** service.md 2.2. */
export const serviceSection2Point2: readonly Requirement[] = [
  {
    id: 'service-2.2-01',
    source: 'service.md 2.2',
    says: 'Options are validated when the server starts; an invalid configuration stops startup.',
    tests: [{ file: cli, title: 'prints every fault to stderr and exits with 78 (configuration.md 1.5)' }],
  },
  {
    id: 'service-2.2-02',
    source: 'service.md 2.2',
    says: 'appName empty or blank is a fault.',
    tests: [{ file: specGapsServer, title: 'refuses a configuration with a blank appName' }],
  },
  {
    id: 'service-2.2-03',
    source: 'service.md 2.2',
    says: 'No source of actions is a fault.',
    tests: [{ file: rules, title: 'an empty list is a fault that says how to mean it' }],
  },
  {
    id: 'service-2.2-04',
    source: 'service.md 2.2',
    says: 'chatClient that is missing is a fault.',
    tests: [{ file: specGapsServer, title: 'refuses a configuration without chatClient' }],
  },
];
