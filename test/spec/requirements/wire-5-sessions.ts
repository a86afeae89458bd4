import type { Requirement } from '../requirement.ts';

const shownAgain = 'test/unit/core/sessions/snapshot/shown-again.test.ts';
const widgetConfirmations = 'test/browser/widget-confirmations.test.ts';
const nativeApproval = 'test/unit/core/confirmations/native-approval.test.ts';
const sealer = 'test/unit/adapters/snapshots/aes-snapshot-sealer.test.ts';
const snapshots = 'test/unit/core/sessions/snapshot/session-snapshots.test.ts';
const session = 'test/integration/session.test.ts';
const copies = 'test/unit/core/sessions/snapshot/copies.test.ts';
const specGapsActions = 'test/integration/spec-gaps-actions.test.ts';
const dailyPurge = 'test/unit/app/daily-purge.test.ts';
const control = 'test/integration/control.test.ts';

/** Sessions and their snapshots. */
export const wireSection5Sessions: readonly Requirement[] = [
  {
    id: 'wire-5-29',
    tests: [
      { file: specGapsActions, title: 'are in the journal as long as a snapshot could carry them' },
      {
        file: dailyPurge,
        title: 'deletes what has been done for more than 30 days, every day until it is ended, and survives a failure',
      },
    ],
  },
  {
    id: 'wire-5-43',
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
    tests: [
      { file: session, title: 'saves a conversation as opaque text, and puts it back on another connection' },
      { file: snapshots, title: 'is the state after the last ended turn' },
    ],
  },
  {
    id: 'wire-5-61',
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
    tests: [{ file: session, title: 'says why it refuses a snapshot, and leaves the live conversation untouched' }],
  },
  {
    id: 'wire-5-64',
    tests: [
      { file: sealer, title: 'begins with hs1 and the id of its key in the clear, and shows nothing else' },
      { file: sealer, title: 'is refused with any one character changed' },
      { file: sealer, title: 'is refused with any one bit of its bytes flipped' },
    ],
  },
  {
    id: 'wire-5-97',
    tests: [
      { file: control, title: 'arguments nested deeper than 64 levels answers nothing' },
      { file: control, title: 'arguments nested deeper than 64 levels, for an unknown actionId answers nothing' },
      { file: control, title: 'arguments of 64 levels for an unknown actionId answers nothing' },
    ],
  },
  {
    id: 'wire-5-71',
    tests: [
      {
        file: shownAgain,
        title: 'comes back in the order in which it was shown: the question with its outcome, the action and its card',
      },
      { file: shownAgain, title: 'of a declined call says so' },
    ],
  },
  { id: 'wire-5-72', tests: [{ file: shownAgain, title: 'is nothing of what the model reads' }] },
  {
    id: 'wire-5-73',
    tests: [{ file: shownAgain, title: 'is bounded: of the oldest calls it goes first, and the messages stay' }],
  },
  {
    id: 'wire-5-98',
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
    tests: [
      {
        file: shownAgain,
        title: 'of calls side by side comes back as it was told: what was refused at once before what was asked about',
      },
      { file: shownAgain, title: 'says that an answer was stopped or broke off, behind all of it' },
    ],
  },
];
