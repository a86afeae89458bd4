import type { Requirement } from '../requirement.ts';

const toolPolicy = 'test/unit/core/tools/tool-policy.test.ts';
const specGapsActions = 'test/integration/spec-gaps-actions.test.ts';
const nativeApproval = 'test/unit/core/confirmations/native-approval.test.ts';
const suspendedTurns = 'test/unit/core/confirmations/suspended-turns.test.ts';
const confirmations = 'test/unit/core/calls/confirmations.test.ts';

/** The statements whose ids begin with `service-2.6`. */
export const serviceSection2Point6: readonly Requirement[] = [
  {
    id: 'service-2.6-01',
    tests: [{ file: toolPolicy, title: 'requiresConfirmation: true asks' }],
  },
  {
    id: 'service-2.6-02',
    tests: [{ file: toolPolicy, title: 'requiresApproval reaches read-only actions' }],
  },
  {
    id: 'service-2.6-03',
    tests: [{ file: toolPolicy, title: 'an action that declares nothing asks, as a write' }],
  },
  {
    id: 'service-2.6-04',
    tests: [{ file: toolPolicy, title: 'requireConfirmation: false asks for nothing at all' }],
  },
  {
    id: 'service-2.6-05',
    tests: [
      { file: specGapsActions, title: 'without requireConfirmation nothing asks, and requiredRoles still refuses' },
    ],
  },
  {
    id: 'service-2.6-06',
    tests: [
      { file: toolPolicy, title: 'readOnly: false alone is still undeclared' },
      { file: toolPolicy, title: 'requiresConfirmation: false is a declaration' },
    ],
  },
  {
    id: 'service-2.6-07',
    tests: [{ file: toolPolicy, title: 'a plain tool asks for nothing' }],
  },
  {
    id: 'service-2.6-08',
    tests: [
      { file: toolPolicy, title: 'without requireConfirmationForWrites a write does not ask' },
      { file: toolPolicy, title: 'without requireConfirmationForWrites a declared one still asks' },
    ],
  },
  {
    id: 'service-2.6-09',
    tests: [{ file: confirmations, title: 'runs once approved, in the order of contract/events.md#order' }],
  },
  {
    id: 'service-2.6-10',
    tests: [{ file: toolPolicy, title: 'requiresApproval reaches plain tools' }],
  },
  {
    id: 'service-2.6-11',
    tests: [{ file: toolPolicy, title: 'isReadOnlyAction counts as readOnly: true' }],
  },
  {
    id: 'service-2.6-12',
    tests: [{ file: toolPolicy, title: 'a tool that needs confirmation is never read-only' }],
  },
  {
    id: 'service-2.6-13',
    tests: [
      {
        file: confirmations,
        title: 'runs nothing once declined, has ActionCompleted alone, and tells the model the exact sentence',
      },
    ],
  },
  {
    id: 'service-2.6-20',
    tests: [
      {
        file: suspendedTurns,
        title: 'is answered in the next process; the turn goes on without a connection, and is read with Resume',
      },
    ],
  },
  {
    id: 'service-2.6-21',
    tests: [
      {
        file: nativeApproval,
        title: 'approves by the first rule that holds: no box, and the same rows in the journal',
      },
      { file: nativeApproval, title: 'asks when a rule throws, and in the mode Blocking whatever the rules' },
    ],
  },
  {
    id: 'service-2.6-22',
    tests: [
      {
        file: nativeApproval,
        title: 'asks no more about a tool the user chose to remember, until a new conversation',
      },
      {
        file: nativeApproval,
        title: 'remembers nothing that was declined, and offers it over the hub only, with a rule or a limit',
      },
    ],
  },
  {
    id: 'service-2.6-23',
    tests: [{ file: nativeApproval, title: 'still refuses by role before any rule' }],
  },
  {
    id: 'service-2.6-24',
    tests: [
      { file: nativeApproval, title: 'caps the rounds of one turn that rules approve (maxAutoApprovalIterations)' },
      {
        file: suspendedTurns,
        title:
          'counts the rounds in which a rule stood in for the user from where it was (contract/confirmations.md#rules-in-place-of-the-user)',
      },
    ],
  },
];
