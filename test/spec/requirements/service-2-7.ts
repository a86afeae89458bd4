import type { Requirement } from '../requirement.ts';

const limits = 'test/integration/limits.test.ts';
const runTurn = 'test/unit/core/turn/run-turn.test.ts';

/** The statements whose ids begin with `service-2.7`. */
export const serviceSection2Point7: readonly Requirement[] = [
  {
    id: 'service-2.7-01',
    tests: [{ file: runTurn, title: 'one more is refused' }],
  },
  {
    id: 'service-2.7-02',
    tests: [{ file: runTurn, title: 'a limit of 0 refuses nothing' }],
  },
  {
    id: 'service-2.7-03',
    tests: [
      {
        file: limits,
        title: 'refuses the message over the limit as rate_limited, in the user’s language, without the model',
      },
    ],
  },
  {
    id: 'service-2.7-04',
    tests: [{ file: limits, title: 'takes messages again when the window that began with the first message is over' }],
  },
];
