import type { Requirement } from '../requirement.ts';

const session = 'test/integration/session.test.ts';
const control = 'test/integration/control.test.ts';
const confirmations = 'test/unit/core/calls/confirmations.test.ts';
const cli = 'test/integration/cli.test.ts';
const runTurn = 'test/unit/core/turn/run-turn.test.ts';
const identity = 'test/integration/identity.test.ts';

/** The statements whose ids begin with `service-7`. */
export const serviceSection7: readonly Requirement[] = [
  {
    id: 'service-7-01',
    tests: [
      { file: control, title: 'answers 404 nothing_to_answer to the second of two answers' },
      {
        file: control,
        title: 'ends an open confirmation: a later approve answers 404 (contract/confirmations.md#stop)',
      },
      { file: confirmations, title: 'answers nothing for an unknown id, after Stop and after a close' },
    ],
  },
  {
    id: 'service-7-02',
    tests: [{ file: cli, title: 'prints every fault to stderr and exits with 78 (contract/configuration.md#faults)' }],
  },
  {
    id: 'service-7-03',
    tests: [{ file: runTurn, title: 'one more is refused' }],
  },
  {
    id: 'service-7-04',
    tests: [{ file: runTurn, title: 'with the hook both get its message' }],
  },
  {
    id: 'service-7-20',
    tests: [{ file: session, title: 'answers 404 unknown_connection without a connection, and when it is gone' }],
  },
  {
    id: 'service-7-21',
    tests: [
      {
        file: 'test/integration/refused-snapshots.test.ts',
        title: 'one that was edited is 400 with the reason, and the conversation stays',
      },
      {
        file: 'test/integration/refused-snapshots.test.ts',
        title: 'one that is another user’s is 400 with the reason, and the conversation stays',
      },
      {
        file: 'test/integration/refused-snapshots.test.ts',
        title: 'one that is of another application is 400 with the reason, and the conversation stays',
      },
      {
        file: 'test/integration/refused-snapshots.test.ts',
        title: 'one that is of another version is 400 with the reason, and the conversation stays',
      },
      {
        file: 'test/integration/refused-snapshots.test.ts',
        title: 'one that is sealed with a key that is lost is 400 with the reason, and the conversation stays',
      },
      {
        file: 'test/integration/refused-snapshots.test.ts',
        title: 'one that is too old is 400 with the reason, and the conversation stays',
      },
      { file: 'test/integration/refused-snapshots.test.ts', title: 'is taken where nothing of this is so' },
      {
        file: 'test/unit/core/sessions/snapshot/session-snapshots.test.ts',
        title: 'history kept the other way is refused, and the live conversation stays untouched',
      },
    ],
  },
  {
    id: 'service-7-22',
    tests: [
      { file: session, title: 'checks in the order 415, 404, owner, 413, 400 (contract/identity.md#whose-it-is)' },
    ],
  },
  {
    id: 'service-7-30',
    tests: [
      { file: identity, title: 'is approved by that user alone: anonymous 401, another user 403' },
      { file: identity, title: 'is cancelled by that user alone, by connection and by turn' },
    ],
  },
];
