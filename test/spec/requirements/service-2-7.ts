import type { Requirement } from '../requirement.ts';

const limits = 'test/integration/limits.test.ts';
const runTurn = 'test/unit/core/turn/run-turn.test.ts';

/** service.md 2.7. */
export const serviceSection2Point7: readonly Requirement[] = [
  {
    id: 'service-2.7-01',
    source: 'service.md 2.7',
    says: 'MaxMessageLength: a longer message is refused before the model is called.',
    tests: [{ file: runTurn, title: 'one more is refused' }],
  },
  {
    id: 'service-2.7-02',
    source: 'service.md 2.7',
    says: '0 means no limit.',
    tests: [{ file: runTurn, title: 'a limit of 0 refuses nothing' }],
  },
  {
    id: 'service-2.7-03',
    source: 'service.md 2.7',
    says: 'RateLimitPerUser: messages per user per window.',
    tests: [
      {
        file: limits,
        title: 'refuses the message over the limit as rate_limited, in the user’s language, without the model',
      },
    ],
  },
  {
    id: 'service-2.7-04',
    source: 'service.md 2.7',
    says: 'RateLimitWindowSecs: window length in seconds.',
    tests: [{ file: limits, title: 'takes messages again when the window that began with the first message is over' }],
  },
];
