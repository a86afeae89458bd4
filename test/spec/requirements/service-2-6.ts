import type { Requirement } from '../requirement.ts';

const toolPolicy = 'test/unit/core/tools/tool-policy.test.ts';
const specGapsActions = 'test/integration/spec-gaps-actions.test.ts';
const confirmations = 'test/unit/core/turn/confirmations.test.ts';

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
];
