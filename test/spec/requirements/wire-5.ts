import type { Requirement } from '../requirement.ts';

const sealer = 'test/unit/adapters/snapshots/aes-snapshot-sealer.test.ts';
const snapshots = 'test/unit/core/sessions/snapshot/session-snapshots.test.ts';
const session = 'test/integration/session.test.ts';
const nativeApproval = 'test/unit/core/confirmations/native-approval.test.ts';
const schedules = 'test/integration/schedules.test.ts';
const crashes = 'test/unit/core/confirmations/crashes.test.ts';
const nativeRestart = 'test/integration/native-restart.test.ts';
const copies = 'test/unit/core/sessions/snapshot/copies.test.ts';
const takeUp = 'test/unit/core/turn/take-up.test.ts';
const suspendedTurns = 'test/unit/core/confirmations/suspended-turns.test.ts';
const keptEvents = 'test/unit/core/confirmations/kept-events.test.ts';
const interruptedCalls = 'test/unit/core/calls/interrupted-calls.test.ts';
const control = 'test/integration/control.test.ts';
const confirmations = 'test/unit/core/calls/confirmations.test.ts';
const specGapsActions = 'test/integration/spec-gaps-actions.test.ts';
const visibleText = 'test/unit/widget/conversation/visible-text.test.ts';
const recoverJournal = 'test/unit/core/confirmations/recover-journal.test.ts';
const embeddedStorage = 'test/unit/adapters/stores/embedded-storage.test.ts';
const confirmationJournal = 'test/unit/adapters/stores/confirmation-journal.test.ts';
const runTurn = 'test/unit/core/turn/run-turn.test.ts';
const widgetConfirmations = 'test/browser/widget-confirmations.test.ts';

/** The statements whose ids begin with `wire-5`. */
export const wireSection5: readonly Requirement[] = [
  {
    id: 'wire-5-01',
    tests: [
      { file: control, title: 'answers 200 at once, before the action has run to its end' },
      { file: control, title: 'declines: nothing runs and the turn goes on' },
    ],
  },
  {
    id: 'wire-5-02',
    tests: [
      { file: control, title: 'stops by connectionId' },
      {
        file: control,
        title:
          'stops a turn by its turnId: the model is aborted before the answer and the turn ends as stopped without an error',
      },
      { file: control, title: 'both ids' },
      { file: control, title: 'neither id' },
    ],
  },
  {
    id: 'wire-5-03',
    tests: [
      { file: control, title: 'stops by connectionId' },
      {
        file: control,
        title: 'answers once the Stop is stored: a crash right after it brings no question back',
      },
    ],
  },
  {
    id: 'wire-5-04',
    tests: [{ file: control, title: 'an unknown connection' }],
  },
  {
    id: 'wire-5-05',
    tests: [
      { file: control, title: 'answers 404 nothing_to_answer to the second of two answers' },
      {
        file: control,
        title: 'ends an open confirmation: a later approve answers 404 (contract/confirmations.md#stop)',
      },
    ],
  },
  {
    id: 'wire-5-06',
    tests: [{ file: control, title: 'checks in the order 415, 413, 400, 404' }],
  },
  {
    id: 'wire-5-07',
    tests: [{ file: control, title: 'an unknown actionId answers nothing' }],
  },
  {
    id: 'wire-5-08',
    tests: [
      { file: control, title: 'approved is not a boolean answers nothing' },
      { file: control, title: 'approved is 1 answers nothing' },
      { file: control, title: 'approved is missing answers nothing' },
    ],
  },
  {
    id: 'wire-5-09',
    tests: [
      { file: confirmations, title: 'asks before a write that declares nothing, with the arguments as they will run' },
    ],
  },
  {
    id: 'wire-5-10',
    tests: [
      { file: specGapsActions, title: 'name an argument by its title, else by its name, and show the raw value' },
    ],
  },
  {
    id: 'wire-5-11',
    tests: [
      { file: visibleText, title: 'the right-to-left override' },
      { file: visibleText, title: 'zero-width characters' },
      { file: visibleText, title: 'control characters' },
      { file: visibleText, title: 'hidden characters inside JSON' },
    ],
  },
  {
    id: 'wire-5-12',
    tests: [
      {
        file: 'test/browser/content.test.ts',
        title: 'what is asked is shown whole, and nothing in it hides (contract/confirmations.md#what-is-shown)',
      },
      {
        file: 'test/browser/widget-confirmations.test.ts',
        title: 'a very long value is shown whole, and when it is too long to send the server says so',
      },
    ],
  },
  {
    id: 'wire-5-13',
    tests: [
      { file: control, title: 'edited arguments of an action that is not editable answers nothing' },
      {
        file: confirmations,
        title: 'refuses remember and arguments where the confirmation does not offer them, and stays open',
      },
    ],
  },
  {
    id: 'wire-5-14',
    tests: [{ file: control, title: 'remember, which this confirmation does not offer answers nothing' }],
  },
  {
    id: 'wire-5-15',
    tests: [
      {
        file: confirmations,
        title: 'is single-use: of two answers at the same moment one wins and the other finds nothing',
      },
    ],
  },
  {
    id: 'wire-5-16',
    tests: [
      {
        file: 'test/integration/approved-calls.test.ts',
        title: 'is stored with the arguments that were shown and their hash, and these are what runs',
      },
    ],
  },
  {
    id: 'wire-5-17',
    tests: [
      {
        file: 'test/integration/approved-calls.test.ts',
        title: 'may be answered by another user who holds its actionId, and its action runs as the user who asked',
      },
      {
        file: 'test/integration/approved-calls.test.ts',
        title:
          'may be answered by somebody without a token who holds its actionId, and its action runs as the user who asked',
      },
    ],
  },
  {
    id: 'wire-5-18',
    tests: [
      { file: control, title: 'answers 404 nothing_to_answer to the second of two answers' },
      { file: confirmationJournal, title: 'lets one of two answers at the same moment win' },
    ],
  },
  {
    id: 'wire-5-19',
    tests: [
      {
        file: confirmations,
        title: 'gives parallel calls an id each, answered in any order, while calls that need no answer run',
      },
    ],
  },
  {
    id: 'wire-5-20',
    tests: [{ file: confirmations, title: 'is written before each step: requested, answered, executing, done' }],
  },
  {
    id: 'wire-5-21',
    tests: [
      {
        file: embeddedStorage,
        title: 'syncs every commit of its write-ahead log (contract/confirmations.md#the-journal)',
      },
    ],
  },
  {
    id: 'wire-5-22',
    tests: [
      { file: schedules, title: 'no write executes without exactly one matching approval' },
      {
        file: confirmations,
        title: 'runs nothing when an approval cannot be made durable; it may be given again, and then runs once',
      },
      { file: takeUp, title: 'that was approved and not begun does not run when its beginning cannot be stored' },
      { file: confirmationJournal, title: 'never runs a call that was declined' },
    ],
  },
  {
    id: 'wire-5-23',
    tests: [
      { file: schedules, title: 'no write executes without exactly one matching approval' },
      { file: confirmationJournal, title: 'takes no step twice and none out of order' },
      { file: embeddedStorage, title: 'takes a folder for itself alone, and leaves it to the next one' },
    ],
  },
  {
    id: 'wire-5-24',
    tests: [
      { file: nativeRestart, title: 'is asked once more after the restart, with the same webhook-id and body (%s)' },
      { file: interruptedCalls, title: 'is called once more as it was: same id, user, channel, page and arguments' },
      { file: interruptedCalls, title: 'is given up after two more attempts, each counted before it is made' },
      { file: interruptedCalls, title: 'is never called again when its action was no callback' },
      {
        file: suspendedTurns,
        title: 'whose callback was running is made again as it was, and the run goes on with its result',
      },
      {
        file: suspendedTurns,
        title: 'that ran without a question when its server died is run again when it only reads',
      },
      {
        file: suspendedTurns,
        title: 'whose action was running is never run again: user and model are told that it is unknown',
      },
      {
        file: recoverJournal,
        title: 'cancels what waited, reports what was running as unknown, and leaves what was done',
      },
    ],
  },
  {
    id: 'wire-5-25',
    tests: [
      {
        file: runTurn,
        title:
          'reports a slow write as unknown, since it may have taken effect (contract/confirmations.md#the-journal)',
      },
    ],
  },
  {
    id: 'wire-5-26',
    tests: [
      { file: confirmations, title: 'expires after confirmationTimeout and tells the model that nobody answered' },
    ],
  },
  {
    id: 'wire-5-27',
    tests: [
      { file: schedules, title: 'every request for confirmation ends in exactly one outcome' },
      { file: keptEvents, title: 'is put by the next under its id, once: answered %s, it ends as %s' },
      { file: keptEvents, title: 'ends its question that was %s as %s, its action as %s' },
      { file: specGapsActions, title: 'end as approved by the user in exactly one ConfirmationResolved' },
      { file: specGapsActions, title: 'end as declined by the user in exactly one ConfirmationResolved' },
      { file: specGapsActions, title: 'end as cancelled by the user in exactly one ConfirmationResolved' },
      { file: specGapsActions, title: 'end as cancelled by the system in exactly one ConfirmationResolved' },
    ],
  },
  {
    id: 'wire-5-28',
    tests: [
      {
        file: 'test/integration/durable-turns.test.ts',
        title: 'is cancelled in the next process, and its turn told to be interrupted, once (durableTurns: %s)',
      },
    ],
  },
  {
    id: 'wire-5-40',
    tests: [
      {
        file: nativeApproval,
        title: 'run in place of those that were shown, are journalled beside them, and the model is told',
      },
      { file: nativeApproval, title: 'that do not fit the schema answer nothing: the question stays open' },
      { file: nativeApproval, title: 'are refused for an action that does not declare editable' },
    ],
  },
  {
    id: 'wire-5-41',
    tests: [
      {
        file: nativeRestart,
        title: 'is approved after %s: the action runs once, and its events are read with Last-Event-ID',
      },
    ],
  },
  {
    id: 'wire-5-42',
    tests: [
      { file: schedules, title: 'no write executes without exactly one matching approval' },
      {
        file: crashes,
        title:
          'runs no action twice and none without its approval, ends every question exactly once, and changes nothing that was told',
      },
    ],
  },
  {
    id: 'wire-5-44',
    tests: [
      {
        file: copies,
        title: 'that was answered (%s) comes back resolved with its stored outcome, and is never asked again',
      },
      {
        file: copies,
        title: 'beside one whose action still runs: that one has its outcome of the time it is restored',
      },
      {
        file: copies,
        title: 'is not asked again where the journal knows nothing of it: it may have been answered',
      },
      {
        file: copies,
        title: 'runs once of ten copies and the living original, answered at the same moment (%s)',
      },
      {
        file: confirmationJournal,
        title:
          'lets one of all rows of a call be approved or declined, and shows which (a snapshot restored many times)',
      },
    ],
  },
  {
    id: 'wire-5-45',
    tests: [
      { file: copies, title: 'that ended by a stop (%s) is asked again' },
      { file: copies, title: 'that expired is asked again' },
    ],
  },
  {
    id: 'wire-5-46',
    tests: [{ file: copies, title: 'comes after the conversation before it, and with the times of then' }],
  },
  {
    id: 'wire-5-47',
    tests: [{ file: copies, title: '%s is not asked again: roles and schema are checked on restore' }],
  },
  {
    id: 'wire-5-62',
    tests: [
      { file: session, title: 'answers 409 turn_in_progress while a turn runs' },
      { file: snapshots, title: 'is refused with turn_in_progress while a turn runs, which goes on' },
    ],
  },
  {
    id: 'wire-5-65',
    tests: [
      { file: sealer, title: 'is compressed inside' },
      { file: sealer, title: 'is not taken apart without bound, even under our own key' },
    ],
  },
  {
    id: 'wire-5-66',
    tests: [
      { file: sealer, title: 'is refused to another user' },
      { file: sealer, title: 'is refused to another application with the same keys' },
      { file: session, title: 'binds a snapshot to appName' },
    ],
  },
  {
    id: 'wire-5-67',
    tests: [
      { file: sealer, title: 'another version is refused with the reason' },
      { file: snapshots, title: 'another version is refused, and the live conversation stays untouched' },
    ],
  },
  {
    id: 'wire-5-68',
    tests: [{ file: sealer, title: 'can be restored for maxAge, and not longer' }],
  },
  {
    id: 'wire-5-69',
    tests: [
      { file: snapshots, title: 'is the same, whatever was said and done' },
      { file: snapshots, title: 'history kept the other way is refused, and the live conversation stays untouched' },
    ],
  },
  {
    id: 'wire-5-70',
    tests: [{ file: snapshots, title: 'every anonymous visitor, when it was saved without sign-in, and no user' }],
  },
  {
    id: 'wire-5-80',
    tests: [
      { file: widgetConfirmations, title: 'sends all arguments once any was changed, and shows what was changed' },
      {
        file: widgetConfirmations,
        title: 'sends no arguments when nothing was changed, or everything was changed back',
      },
      {
        file: widgetConfirmations,
        title: 'what does not fit is not answered: the reason of the server stands beside the box, which stays open',
      },
    ],
  },
  {
    id: 'wire-5-81',
    tests: [
      {
        file: widgetConfirmations,
        title: 'who does not want to be asked again is not, in this conversation; unasked, nothing is remembered',
      },
      { file: widgetConfirmations, title: 'a decline remembers nothing, whatever is ticked' },
      { file: widgetConfirmations, title: 'a question that cannot be remembered offers no box to tick' },
    ],
  },
  {
    id: 'wire-5-82',
    tests: [
      {
        file: widgetConfirmations,
        title: 'nothing is approved unseen: markup is text, and characters that cannot be seen are spelled out',
      },
      {
        file: widgetConfirmations,
        title: 'a very long value is shown whole, and when it is too long to send the server says so',
      },
    ],
  },
  {
    id: 'wire-5-96',
    tests: [
      { file: visibleText, title: 'the blank of Braille' },
      { file: visibleText, title: 'letters that are drawn as nothing' },
      { file: visibleText, title: 'blank symbols' },
      { file: visibleText, title: 'selectors of variants' },
    ],
  },
];
