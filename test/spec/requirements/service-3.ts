import type { Requirement } from '../requirement.ts';

const confirmations = 'test/unit/core/calls/confirmations.test.ts';
const copies = 'test/unit/core/sessions/snapshot/copies.test.ts';
const control = 'test/integration/control.test.ts';
const specGapsActions = 'test/integration/spec-gaps-actions.test.ts';

/** service.md 3. */
export const serviceSection3: readonly Requirement[] = [
  {
    id: 'service-3-01',
    source: 'service.md 3',
    says: 'An action needing confirmation is reached: the client receives a request with an actionId, and the run waits.',
    tests: [
      { file: confirmations, title: 'asks before a write that declares nothing, with the arguments as they will run' },
    ],
  },
  {
    id: 'service-3-02',
    source: 'service.md 3',
    says: 'Approve resumes the same run.',
    tests: [{ file: confirmations, title: 'runs once approved, in the order of wire.md 2' }],
  },
  {
    id: 'service-3-03',
    source: 'service.md 3',
    says: 'On decline the model is told the user declined.',
    tests: [
      {
        file: confirmations,
        title: 'runs nothing once declined, has ActionCompleted alone, and tells the model the exact sentence',
      },
    ],
  },
  {
    id: 'service-3-04',
    source: 'service.md 3',
    says: 'Stop while it waits ends the turn; a later approve answers 404.',
    tests: [{ file: control, title: 'ends an open confirmation: a later approve answers 404 (service.md 3)' }],
  },
  {
    id: 'service-3-05',
    source: 'service.md 3',
    says: 'The hub connection closes: the turn ends, the action does not run, a late approve answers 404.',
    tests: [
      { file: confirmations, title: 'answers nothing for an unknown id, after Stop and after a close' },
      { file: specGapsActions, title: 'end as cancelled by the system in exactly one ConfirmationResolved' },
    ],
  },
  {
    id: 'service-3-06',
    source: 'service.md 3',
    says: 'Already answered: approve answers 404 and changes nothing.',
    tests: [{ file: control, title: 'answers 404 nothing_to_answer to the second of two answers' }],
  },
  {
    id: 'service-3-07',
    source: 'service.md 3',
    says: 'A snapshot saved after Stop on a Native confirmation still carries the open request when restored later; the next message answers it as not run.',
    tests: [
      {
        file: copies,
        title: 'is still carried by a snapshot that is saved after Stop, until the next message (service.md 3)',
      },
    ],
  },
];
