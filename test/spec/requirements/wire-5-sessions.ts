import type { Requirement } from '../requirement.ts';

const shownAgain = 'test/unit/core/sessions/snapshot/shown-again.test.ts';
const widgetConfirmations = 'test/browser/widget-confirmations.test.ts';
const nativeApproval = 'test/unit/core/confirmations/native-approval.test.ts';
const sealer = 'test/unit/adapters/snapshots/aes-snapshot-sealer.test.ts';
const snapshots = 'test/unit/core/sessions/snapshot/session-snapshots.test.ts';
const session = 'test/integration/session.test.ts';
const copies = 'test/unit/core/sessions/snapshot/copies.test.ts';
const specGapsActions = 'test/integration/spec-gaps-actions.test.ts';
const recoverJournal = 'test/unit/core/confirmations/recover-journal.test.ts';
const control = 'test/integration/control.test.ts';

/** wire.md 5, sessions and their snapshots. */
export const wireSection5Sessions: readonly Requirement[] = [
  {
    id: 'wire-5-29',
    source: 'wire.md 5',
    says: 'Journal rows outlive every snapshot that can carry them.',
    tests: [
      { file: specGapsActions, title: 'are in the journal for 30 days, as long as a snapshot could carry them' },
      { file: recoverJournal, title: 'is as long as a snapshot can be restored, and 30 days at least' },
    ],
  },
  {
    id: 'wire-5-43',
    source: 'wire.md 5',
    says: 'The snapshot holds open Native confirmations; a restored request keeps its callId and gets a new actionId.',
    tests: [
      {
        file: copies,
        title: 'is asked again under its callId and a new actionId; its approval runs it, and the turn goes on there',
      },
      {
        file: session,
        title: 'puts an open Native confirmation again; the connection that restored it reads how the run goes on',
      },
    ],
  },
  {
    id: 'wire-5-60',
    source: 'wire.md 5',
    says: 'GET /helper/session answers the state after the last ended turn.',
    tests: [
      { file: session, title: 'saves a conversation as opaque text, and puts it back on another connection' },
      { file: snapshots, title: 'is the state after the last ended turn' },
    ],
  },
  {
    id: 'wire-5-61',
    source: 'wire.md 5',
    says: 'POST /helper/session takes the body exactly as GET returned it, and answers conversationId, messages and openConfirmations.',
    tests: [
      { file: session, title: 'saves a conversation as opaque text, and puts it back on another connection' },
      {
        file: snapshots,
        title: 'shows what the user saw: one reply per turn, no tool results, no marks of a form, with the times',
      },
    ],
  },
  {
    id: 'wire-5-63',
    source: 'wire.md 5',
    says: '400 snapshot_refused with the reason in detail.',
    tests: [{ file: session, title: 'says why it refuses a snapshot, and leaves the live conversation untouched' }],
  },
  {
    id: 'wire-5-64',
    source: 'wire.md 5',
    says: 'The snapshot is encrypted and authenticated with AES-256-GCM, the key id in the clear.',
    tests: [
      { file: sealer, title: 'begins with hs1 and the id of its key in the clear, and shows nothing else' },
      { file: sealer, title: 'is refused with any one character changed' },
      { file: sealer, title: 'is refused with any one bit of its bytes flipped' },
    ],
  },
  {
    id: 'wire-5-97',
    source: 'wire.md 5',
    says: 'Edited arguments nested deeper than 64 levels are 400, before the confirmation is looked for.',
    tests: [
      { file: control, title: 'arguments nested deeper than 64 levels answers nothing' },
      { file: control, title: 'arguments nested deeper than 64 levels, for an unknown actionId answers nothing' },
      { file: control, title: 'arguments of 64 levels for an unknown actionId answers nothing' },
    ],
  },
  {
    id: 'wire-5-98',
    source: 'wire.md 5',
    says: 'ConfirmationResolved carries all arguments once the user has changed any; the widget shows them after a page load too.',
    tests: [
      {
        file: nativeApproval,
        title: 'run in place of those that were shown, are journalled beside them, and the model is told',
      },
      { file: nativeApproval, title: 'that are the same as those shown are no edit' },
      {
        file: widgetConfirmations,
        title: 'says what ran on the next page too, from the turn’s events and from the sealed conversation',
      },
    ],
  },
  {
    id: 'wire-5-99',
    source: 'wire.md 5',
    says: 'What is restored says how an answer that was stopped or failed ended, and keeps the order in which it was shown.',
    tests: [
      {
        file: shownAgain,
        title: 'of calls side by side comes back as it was told: what was refused at once before what was asked about',
      },
      { file: shownAgain, title: 'says that an answer was stopped or broke off, behind all of it' },
    ],
  },
];
