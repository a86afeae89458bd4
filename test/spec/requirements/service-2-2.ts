import type { Requirement } from '../requirement.ts';

const cli = 'test/integration/cli.test.ts';
const specGapsServer = 'test/integration/spec-gaps-server.test.ts';
const rules = 'test/unit/config/rules.test.ts';

/** The statements whose ids begin with `service-2.2`. */
export const serviceSection2Point2: readonly Requirement[] = [
  {
    id: 'service-2.2-01',
    tests: [{ file: cli, title: 'prints every fault to stderr and exits with 78 (contract/configuration.md#faults)' }],
  },
  {
    id: 'service-2.2-02',
    tests: [{ file: specGapsServer, title: 'refuses a configuration with a blank appName' }],
  },
  {
    id: 'service-2.2-03',
    tests: [{ file: rules, title: 'an empty list is a fault that says how to mean it' }],
  },
  {
    id: 'service-2.2-04',
    tests: [{ file: specGapsServer, title: 'refuses a configuration without chatClient' }],
  },
];
