import type { Requirement } from '../requirement.ts';

const toolPolicy = 'test/unit/core/tools/tool-policy.test.ts';
const specGapsActions = 'test/integration/spec-gaps-actions.test.ts';
const nativeApproval = 'test/unit/core/confirmations/native-approval.test.ts';
const suspendedTurns = 'test/unit/core/confirmations/suspended-turns.test.ts';
const confirmations = 'test/unit/core/calls/confirmations.test.ts';

/** service.md 2.6. */
export const serviceSection2Point6: readonly Requirement[] = [
  {
    id: 'service-2.6-01',
    source: 'service.md 2.6',
    says: 'RequireConfirmation: a tool asks if the action declares RequiresConfirmation = true.',
    tests: [{ file: toolPolicy, title: 'requiresConfirmation: true asks' }],
  },
  {
    id: 'service-2.6-02',
    source: 'service.md 2.6',
    says: 'A tool asks if the RequiresApproval predicate matches.',
    tests: [{ file: toolPolicy, title: 'requiresApproval reaches read-only actions' }],
  },
  {
    id: 'service-2.6-03',
    source: 'service.md 2.6',
    says: 'A tool asks if it is a write action that declares nothing.',
    tests: [{ file: toolPolicy, title: 'an action that declares nothing asks, as a write' }],
  },
  {
    id: 'service-2.6-04',
    source: 'service.md 2.6',
    says: 'RequireConfirmation false: nothing asks.',
    tests: [{ file: toolPolicy, title: 'requireConfirmation: false asks for nothing at all' }],
  },
  {
    id: 'service-2.6-05',
    source: 'service.md 2.6',
    says: 'RequireConfirmation false: RequiredRoles still refuses.',
    tests: [
      { file: specGapsActions, title: 'without requireConfirmation nothing asks, and requiredRoles still refuses' },
    ],
  },
  {
    id: 'service-2.6-06',
    source: 'service.md 2.6',
    says: 'RequireConfirmationForWrites: declaring neither ReadOnly nor RequiresConfirmation asks.',
    tests: [
      { file: toolPolicy, title: 'readOnly: false alone is still undeclared' },
      { file: toolPolicy, title: 'requiresConfirmation: false is a declaration' },
    ],
  },
  {
    id: 'service-2.6-07',
    source: 'service.md 2.6',
    says: 'It covers actions only; a tool with only a description asks for nothing.',
    tests: [{ file: toolPolicy, title: 'a plain tool asks for nothing' }],
  },
  {
    id: 'service-2.6-08',
    source: 'service.md 2.6',
    says: 'When false, an action asks only if it declares RequiresConfirmation = true.',
    tests: [
      { file: toolPolicy, title: 'without requireConfirmationForWrites a write does not ask' },
      { file: toolPolicy, title: 'without requireConfirmationForWrites a declared one still asks' },
    ],
  },
  {
    id: 'service-2.6-09',
    source: 'service.md 2.6',
    says: 'HitlMode Blocking: the run waits for the answer.',
    tests: [{ file: confirmations, title: 'runs once approved, in the order of wire.md 2' }],
  },
  {
    id: 'service-2.6-10',
    source: 'service.md 2.6',
    says: 'RequiresApproval is a predicate on the tool name, also for tools without an attribute.',
    tests: [{ file: toolPolicy, title: 'requiresApproval reaches plain tools' }],
  },
  {
    id: 'service-2.6-11',
    source: 'service.md 2.6',
    says: 'IsReadOnlyAction declares a read-only action by its tool name.',
    tests: [{ file: toolPolicy, title: 'isReadOnlyAction counts as readOnly: true' }],
  },
  {
    id: 'service-2.6-12',
    source: 'service.md 2.6',
    says: 'A tool needing confirmation is never read-only.',
    tests: [{ file: toolPolicy, title: 'a tool that needs confirmation is never read-only' }],
  },
  {
    id: 'service-2.6-13',
    source: 'service.md 2.6',
    says: 'On declining, the model is told the user declined and nothing was changed, and must not give another reason.',
    tests: [
      {
        file: confirmations,
        title: 'runs nothing once declined, has ActionCompleted alone, and tells the model the exact sentence',
      },
    ],
  },
  {
    id: 'service-2.6-20',
    source: 'service.md 2.6',
    says: 'HitlMode Native: after the answer the turn resumes in a new run; client protocol and box are identical.',
    tests: [
      {
        file: suspendedTurns,
        title: 'is answered in the next process; the turn goes on without a connection, and is read with Resume',
      },
    ],
  },
  {
    id: 'service-2.6-21',
    source: 'service.md 2.6',
    says: 'AutoApprovalRules: Native only, evaluated in order; the first true approves with no box.',
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
    source: 'service.md 2.6',
    says: 'A rule or MaxAutoApprovalIterations turns on do-not-ask-again for the session.',
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
    source: 'service.md 2.6',
    says: 'Role checks still apply to auto-approved calls.',
    tests: [{ file: nativeApproval, title: 'still refuses by role before any rule' }],
  },
  {
    id: 'service-2.6-24',
    source: 'service.md 2.6',
    says: 'MaxAutoApprovalIterations caps the re-runs of one turn caused by auto-approvals.',
    tests: [
      { file: nativeApproval, title: 'caps the rounds of one turn that rules approve (maxAutoApprovalIterations)' },
      {
        file: suspendedTurns,
        title: 'counts the rounds in which a rule stood in for the user from where it was (service.md 2.6)',
      },
    ],
  },
];
