import type { Requirement } from '../requirement.ts';

const confirmations = 'test/unit/core/calls/confirmations.test.ts';
const copies = 'test/unit/core/sessions/snapshot/copies.test.ts';
const control = 'test/integration/control.test.ts';
const specGapsActions = 'test/integration/spec-gaps-actions.test.ts';

/** The statements whose ids begin with `service-3`. */
export const serviceSection3: readonly Requirement[] = [
  {
    id: 'service-3-01',
    tests: [
      { file: confirmations, title: 'asks before a write that declares nothing, with the arguments as they will run' },
    ],
  },
  {
    id: 'service-3-02',
    tests: [{ file: confirmations, title: 'runs once approved, in the order of contract/events.md#order' }],
  },
  {
    id: 'service-3-03',
    tests: [
      {
        file: confirmations,
        title: 'runs nothing once declined, has ActionCompleted alone, and tells the model the exact sentence',
      },
    ],
  },
  {
    id: 'service-3-04',
    tests: [
      {
        file: control,
        title: 'ends an open confirmation: a later approve answers 404 (contract/confirmations.md#stop)',
      },
    ],
  },
  {
    id: 'service-3-05',
    tests: [
      { file: confirmations, title: 'answers nothing for an unknown id, after Stop and after a close' },
      { file: specGapsActions, title: 'end as cancelled by the system in exactly one ConfirmationResolved' },
    ],
  },
  {
    id: 'service-3-06',
    tests: [{ file: control, title: 'answers 404 nothing_to_answer to the second of two answers' }],
  },
  {
    id: 'service-3-07',
    tests: [
      {
        file: copies,
        title:
          'is still carried by a snapshot that is saved after Stop, until the next message (contract/confirmations.md#stop)',
      },
    ],
  },
];
