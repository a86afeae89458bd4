import type { Requirement } from '../requirement.ts';

const limits = 'test/integration/limits.test.ts';
const loadSettings = 'test/unit/config/load-settings.test.ts';
const suspended = 'test/unit/core/confirmations/suspended-turns.test.ts';
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
  {
    id: 'service-8-12',
    source: 'service.md 8',
    says: 'A signed-in user is counted by the key of the user, on every channel and connection.',
    tests: [{ file: limits, title: 'a signed-in user, whatever the channel and the connection' }],
  },
  {
    id: 'service-8-13',
    source: 'service.md 8',
    says: 'An anonymous user is counted by AnonymousIdentity; with Shared all are one.',
    tests: [{ file: limits, title: 'anonymousIdentity %s (service.md 2.10)' }],
  },
  {
    id: 'service-8-14',
    source: 'service.md 8',
    says: 'A Native turn may run again because of auto-approvals, capped by MaxAutoApprovalIterations.',
    tests: [
      {
        file: suspended,
        title: 'counts the rounds in which a rule stood in for the user from where it was (service.md 2.6)',
      },
    ],
  },
];
