import type { Requirement } from '../requirement.ts';

const limits = 'test/integration/limits.test.ts';
const loadSettings = 'test/unit/config/load-settings.test.ts';
const runTurn = 'test/unit/core/turn/run-turn.test.ts';

/** service.md 8. */
export const serviceSection8: readonly Requirement[] = [
  {
    id: 'service-8-01',
    source: 'service.md 8',
    says: 'MaxMessageLength is 4000 characters; 0 is unlimited; before the model call.',
    tests: [
      { file: loadSettings, title: 'fills in every default of service.md 2.3 to 2.9' },
      { file: runTurn, title: 'a limit of 0 refuses nothing' },
    ],
  },
  {
    id: 'service-8-02',
    source: 'service.md 8',
    says: 'MaxSessionMessages is 50.',
    tests: [{ file: loadSettings, title: 'fills in every default of service.md 2.3 to 2.9' }],
  },
  {
    id: 'service-8-10',
    source: 'service.md 8',
    says: 'RateLimitPerUser is 0 (off), RateLimitWindowSecs 60.',
    tests: [{ file: loadSettings, title: 'fills in every default of service.md 2.3 to 2.9' }],
  },
  {
    id: 'service-8-11',
    source: 'service.md 8',
    says: 'An anonymous user of PerSession is counted by connection: a new one starts a new count.',
    tests: [{ file: limits, title: 'counts each anonymous connection by itself (service.md 8)' }],
  },
];
