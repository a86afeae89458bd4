import type { Requirement } from '../requirement.ts';

const limits = 'test/integration/limits.test.ts';
const rateWindow = 'test/unit/core/limits/rate-window.test.ts';
const runTurn = 'test/unit/core/turn/run-turn.test.ts';
const specGapsTurn = 'test/integration/spec-gaps-turn.test.ts';
const signalrClient = 'test/conformance/signalr-client.test.ts';
const sse = 'test/integration/sse.test.ts';
const specGapsStream = 'test/integration/spec-gaps-stream.test.ts';
const confirmations = 'test/unit/core/calls/confirmations.test.ts';
const specGapsActions = 'test/integration/spec-gaps-actions.test.ts';
const control = 'test/integration/control.test.ts';
const hub = 'test/integration/hub.test.ts';
const statefulFrames = 'test/conformance/signalr-stateful-frames.test.ts';
const outbox = 'test/unit/channels/hub/protocol/connection/outbox.test.ts';
const hubConnection = 'test/unit/channels/hub/protocol/connection/hub-connection.test.ts';
const models = 'test/integration/models.test.ts';
const takeImages = 'test/unit/core/limits/take-images.test.ts';
const turnImages = 'test/unit/core/turn/turn-images.test.ts';
const toldActivity = 'test/unit/core/agents/told-activity.test.ts';
const specGapsServer = 'test/integration/spec-gaps-server.test.ts';

/** The statements whose ids begin with `wire-2`. */
export const wireSection2: readonly Requirement[] = [
  {
    id: 'wire-2-01',
    tests: [
      { file: runTurn, title: 'numbers events 1, 2, 3 … and begins with TurnStarted' },
      { file: specGapsTurn, title: 'carry exactly the fields of the table, in one object each, numbered without gaps' },
    ],
  },
  {
    id: 'wire-2-02',
    tests: [{ file: runTurn, title: 'one more is refused' }],
  },
  {
    id: 'wire-2-03',
    tests: [
      { file: signalrClient, title: 'gets Connected first, the events of the turn, and the result after its end' },
    ],
  },
  {
    id: 'wire-2-04',
    tests: [
      {
        file: sse,
        title: 'sends cards, navigation and confirmations under the numbers of the one sequence, so with gaps',
      },
      { file: specGapsStream, title: 'plays a turn again with the numbers and the words every reader gets' },
    ],
  },
  {
    id: 'wire-2-05',
    tests: [
      { file: specGapsTurn, title: 'carry exactly the fields of the table, in one object each, numbered without gaps' },
    ],
  },
  {
    id: 'wire-2-06',
    tests: [{ file: runTurn, title: 'drops attachments with a warning, since images are off' }],
  },
  {
    id: 'wire-2-07',
    tests: [{ file: runTurn, title: 'joins the pieces of one read into one event' }],
  },
  {
    id: 'wire-2-88',
    tests: [
      {
        file: toldActivity,
        title: 'stands between that of the team, with the round of each member, and the widget names the innermost',
      },
    ],
  },
  {
    id: 'wire-2-08',
    tests: [{ file: runTurn, title: 'shows the arguments of read-only actions only' }],
  },
  {
    id: 'wire-2-09',
    tests: [{ file: runTurn, title: 'shows progress while the tool runs, and none after it' }],
  },
  {
    id: 'wire-2-10',
    tests: [
      { file: confirmations, title: 'runs once approved, in the order of contract/events.md#order' },
      { file: runTurn, title: 'without the hook chat and model get the exception message' },
      {
        file: confirmations,
        title: 'runs nothing once declined, has ActionCompleted alone, and tells the model the exact sentence',
      },
      { file: specGapsActions, title: 'without requireConfirmation nothing asks, and requiredRoles still refuses' },
      {
        file: confirmations,
        title: 'runs nothing when an approval cannot be made durable; it may be given again, and then runs once',
      },
      { file: confirmations, title: 'reports a write that Stop interrupted as unknown' },
    ],
  },
  {
    id: 'wire-2-11',
    tests: [
      { file: confirmations, title: 'asks before a write that declares nothing, with the arguments as they will run' },
    ],
  },
  {
    id: 'wire-2-12',
    tests: [
      { file: specGapsActions, title: 'end as approved by the user in exactly one ConfirmationResolved' },
      { file: specGapsActions, title: 'end as cancelled by the system in exactly one ConfirmationResolved' },
    ],
  },
  {
    id: 'wire-2-13',
    tests: [{ file: runTurn, title: 'navigate_to_page sends NavigationRequested with the address filled in' }],
  },
  {
    id: 'wire-2-14',
    tests: [
      { file: runTurn, title: 'shows a card before ActionCompleted, and none with enableGenerativeCards: false' },
    ],
  },
  {
    id: 'wire-2-15',
    tests: [
      {
        file: 'test/integration/turn-ends.test.ts',
        title: 'that completed has status, text, usage and duration, and no code',
      },
      {
        file: 'test/integration/turn-ends.test.ts',
        title: 'that failed is a result with a code, after an error in the language',
      },
      {
        file: 'test/integration/turn-ends.test.ts',
        title: 'that was refused is a result with a code, after an error in the language',
      },
    ],
  },
  {
    id: 'wire-2-16',
    tests: [
      {
        file: 'test/integration/turn-ends.test.ts',
        title: 'that failed is a result with a code, after an error in the language',
      },
      {
        file: 'test/integration/turn-ends.test.ts',
        title: 'that was refused is a result with a code, after an error in the language',
      },
      {
        file: 'test/integration/spec-gaps-turn.test.ts',
        title: 'say that an action failed in the configured language',
      },
    ],
  },
  {
    id: 'wire-2-17',
    tests: [
      {
        file: sse,
        title: 'sends cards, navigation and confirmations under the numbers of the one sequence, so with gaps',
      },
      { file: sse, title: 'tells a failing model as failure, then end' },
      { file: specGapsStream, title: 'carries navigation as a frame' },
    ],
  },
  {
    id: 'wire-2-18',
    tests: [{ file: confirmations, title: 'runs once approved, in the order of contract/events.md#order' }],
  },
  {
    id: 'wire-2-19',
    tests: [
      { file: runTurn, title: 'shows a card before ActionCompleted, and none with enableGenerativeCards: false' },
      { file: runTurn, title: 'shows progress while the tool runs, and none after it' },
    ],
  },
  {
    id: 'wire-2-20',
    tests: [
      {
        file: confirmations,
        title: 'runs nothing once declined, has ActionCompleted alone, and tells the model the exact sentence',
      },
    ],
  },
  {
    id: 'wire-2-21',
    tests: [
      {
        file: confirmations,
        title:
          'refuses a role-gated action for an anonymous caller without asking, and says so (contract/identity.md#roles)',
      },
    ],
  },
  {
    id: 'wire-2-22',
    tests: [{ file: runTurn, title: 'drops the three Action events with enableActionFeedback: false' }],
  },
  {
    id: 'wire-2-23',
    tests: [
      {
        file: runTurn,
        title: 'closes with exactly one TurnCompleted that holds what the user was shown, and the usage',
      },
      { file: runTurn, title: 'shows nothing of an unexpected fault' },
      { file: sse, title: 'frames each event as id, event and one line of data, and ends with one end' },
    ],
  },
  {
    id: 'wire-2-24',
    tests: [
      {
        file: runTurn,
        title: 'closes with exactly one TurnCompleted that holds what the user was shown, and the usage',
      },
      { file: runTurn, title: 'begins the text of a later round as a new paragraph' },
    ],
  },
  {
    id: 'wire-2-25',
    tests: [
      { file: signalrClient, title: 'gets Connected first, the events of the turn, and the result after its end' },
    ],
  },
  {
    id: 'wire-2-26',
    tests: [
      {
        file: confirmations,
        title: 'runs nothing once declined, has ActionCompleted alone, and tells the model the exact sentence',
      },
    ],
  },
  {
    id: 'wire-2-27',
    tests: [
      { file: confirmations, title: 'expires after confirmationTimeout and tells the model that nobody answered' },
    ],
  },
  {
    id: 'wire-2-28',
    tests: [
      { file: runTurn, title: 'one more is refused' },
      { file: sse, title: 'tells a refused message as failure, then end, not as a problem document' },
    ],
  },
  {
    id: 'wire-2-29',
    tests: [{ file: runTurn, title: 'ends the turn as failed with model_timeout, and the next message works' }],
  },
  {
    id: 'wire-2-30',
    tests: [
      {
        file: control,
        title:
          'stops a turn by its turnId: the model is aborted before the answer and the turn ends as stopped without an error',
      },
    ],
  },
  {
    id: 'wire-2-31',
    tests: [{ file: runTurn, title: 'exactly maxMessageLength UTF-16 units pass' }],
  },
  {
    id: 'wire-2-32',
    tests: [
      { file: runTurn, title: 'drops attachments with a warning, since images are off' },
      {
        file: specGapsStream,
        title: 'takes attachments in a POST, and drops images with a warning while image input is off',
      },
      {
        file: specGapsTurn,
        title: 'that holds an image alone is not refused as empty: the image is dropped with a warning',
      },
    ],
  },
  {
    id: 'wire-2-53',
    tests: [
      {
        file: takeImages,
        title: 'leaves out what is %s by its content, with a warning, although it is called image/png',
      },
      {
        file: turnImages,
        title: 'is refused as too_many_images before the model or the rate is asked (contract/images.md)',
      },
      {
        file: turnImages,
        title: 'is refused as image_too_large before the model or the rate is asked (contract/images.md)',
      },
    ],
  },
  {
    id: 'wire-2-33',
    tests: [
      { file: runTurn, title: 'joins the pieces of one read into one event' },
      { file: hub, title: 'sends the deltas of one read as one frame, whatever their number' },
    ],
  },
  {
    id: 'wire-2-34',
    tests: [
      { file: specGapsTurn, title: 'join text over server.flushInterval only when it is set' },
      {
        file: sse,
        title:
          'writes once per read of the model: 200 pieces in one read are at most three writes (docs/architecture.md)',
      },
    ],
  },
  {
    id: 'wire-2-35',
    tests: [
      { file: hub, title: 'is closed with allowReconnect, told why, and gets what was sent before' },
      {
        file: outbox,
        title: 'notices a client that leaves more than the limit unread (contract/events.md#slow-readers)',
      },
      { file: statefulFrames, title: 'are not kept without bound %s' },
    ],
  },
  {
    id: 'wire-2-36',
    tests: [
      { file: hubConnection, title: 'closes a slow client with allowReconnect, stops sending, and cuts it 5 s later' },
      { file: hub, title: 'is cut when it does not read the Close either' },
    ],
  },
  {
    id: 'wire-2-37',
    tests: [
      { file: sse, title: 'pauses the model while the client does not read, and goes on when it does' },
      { file: models, title: 'holds the model back while the reader is slow, and does not take that for silence' },
    ],
  },
  {
    id: 'wire-2-38',
    tests: [
      { file: signalrClient, title: 'gets Connected first, the events of the turn, and the result after its end' },
      { file: specGapsServer, title: 'tells a hub client the settings of the configuration' },
    ],
  },
  {
    id: 'wire-2-39',
    tests: [
      {
        file: signalrClient,
        title: 'is told that the server drains, and comes back to another one (contract/restarts.md#stopping)',
      },
    ],
  },
  {
    id: 'wire-2-50',
    tests: [{ file: limits, title: 'checks the length first, and does not count what it refuses' }],
  },
  {
    id: 'wire-2-51',
    tests: [
      { file: rateWindow, title: 'begins with the first time and is fixed: later ones do not move it' },
      { file: limits, title: 'takes messages again when the window that began with the first message is over' },
    ],
  },
  {
    id: 'wire-2-52',
    tests: [
      { file: rateWindow, title: 'does not count what it refuses' },
      { file: limits, title: 'checks the length first, and does not count what it refuses' },
    ],
  },
];
