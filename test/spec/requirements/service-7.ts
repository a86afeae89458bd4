import type { Requirement } from '../requirement.ts';

const sealer = 'test/unit/adapters/snapshots/aes-snapshot-sealer.test.ts';
const session = 'test/integration/session.test.ts';
const control = 'test/integration/control.test.ts';
const confirmations = 'test/unit/core/calls/confirmations.test.ts';
const cli = 'test/integration/cli.test.ts';
const runTurn = 'test/unit/core/turn/run-turn.test.ts';
const identity = 'test/integration/identity.test.ts';

/** service.md 7. */
export const serviceSection7: readonly Requirement[] = [
  {
    id: 'service-7-01',
    source: 'service.md 7',
    says: '404 of approve: nothing waits for the answer, whether already answered, stopped or closed.',
    tests: [
      { file: control, title: 'answers 404 nothing_to_answer to the second of two answers' },
      { file: control, title: 'ends an open confirmation: a later approve answers 404 (service.md 3)' },
      { file: confirmations, title: 'answers nothing for an unknown id, after Stop and after a close' },
    ],
  },
  {
    id: 'service-7-02',
    source: 'service.md 7',
    says: 'Validation failures of 2.2 stop the start.',
    tests: [{ file: cli, title: 'prints every fault to stderr and exits with 78 (configuration.md 1.5)' }],
  },
  {
    id: 'service-7-03',
    source: 'service.md 7',
    says: 'A refused over-length message is refused before the model is called.',
    tests: [{ file: runTurn, title: 'one more is refused' }],
  },
  {
    id: 'service-7-04',
    source: 'service.md 7',
    says: 'A tool exception follows OnException.',
    tests: [{ file: runTurn, title: 'with the hook both get its message' }],
  },
  {
    id: 'service-7-20',
    source: 'service.md 7',
    says: '404 of POST /helper/session: the connection is not registered.',
    tests: [{ file: session, title: 'answers 404 unknown_connection without a connection, and when it is gone' }],
  },
  {
    id: 'service-7-21',
    source: 'service.md 7',
    says: '400 of POST /helper/session: edited, of another user or version, keys lost or history kept the other way; the body says why.',
    tests: [
      { file: session, title: 'says why it refuses a snapshot, and leaves the live conversation untouched' },
      { file: sealer, title: 'is refused to another user' },
    ],
  },
  {
    id: 'service-7-22',
    source: 'service.md 7',
    says: '415 of POST /helper/session: not a JSON content type.',
    tests: [{ file: session, title: 'checks in the order 415, 404, owner, 413, 400 (wire.md 1)' }],
  },
  {
    id: 'service-7-30',
    source: 'service.md 7',
    says: 'Approve and cancel: 401 for an anonymous request to a signed-in user, 403 for another user.',
    tests: [
      { file: identity, title: 'is approved by that user alone: anonymous 401, another user 403' },
      { file: identity, title: 'is cancelled by that user alone, by connection and by turn' },
    ],
  },
];
