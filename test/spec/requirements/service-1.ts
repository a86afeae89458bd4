import type { Requirement } from '../requirement.ts';

const signalrClient = 'test/conformance/signalr-client.test.ts';
const control = 'test/integration/control.test.ts';

/** The statements whose ids begin with `service-1`. */
export const serviceSection1: readonly Requirement[] = [
  {
    id: 'service-1-01',
    tests: [
      {
        file: 'test/integration/approved-calls.test.ts',
        title: 'are the same on the channel hub: a read runs, a write asks, a role is missed',
      },
      {
        file: 'test/integration/approved-calls.test.ts',
        title: 'are the same on the channel sse: a read runs, a write asks, a role is missed',
      },
      {
        file: 'test/integration/approved-calls.test.ts',
        title: 'are the same on the channel inProcess: a read runs, a write asks, a role is missed',
      },
    ],
  },
  {
    id: 'service-1-02',
    tests: [
      {
        file: signalrClient,
        title:
          'holds a turn with a confirmation, answered over HTTP while it runs (contract/confirmations.md#answering)',
      },
      { file: control, title: 'answers 200 at once, before the action has run to its end' },
      { file: control, title: 'remember, which this confirmation does not offer answers nothing' },
      {
        file: 'test/unit/core/confirmations/native-approval.test.ts',
        title: 'run in place of those that were shown, are journalled beside them, and the model is told',
      },
    ],
  },
];
