import type { Requirement } from '../requirement.ts';

const signalrClient = 'test/conformance/signalr-client.test.ts';
const wholeTurn = 'test/integration/whole-turn.test.ts';
const signalrFrames = 'test/conformance/signalr-frames.test.ts';
const hubEvents = 'test/unit/channels/shared/hub-event-names.test.ts';
const specGapsTurn = 'test/integration/spec-gaps-turn.test.ts';
const readArguments = 'test/unit/channels/hub/read-arguments.test.ts';
const hub = 'test/integration/hub.test.ts';
const hubMethods = 'test/unit/channels/hub/hub-methods.test.ts';
const liveSession = 'test/unit/core/sessions/live-session.test.ts';
const runTurn = 'test/unit/core/turn/run-turn.test.ts';
const connectionToken = 'test/unit/channels/hub/protocol/connection-token.test.ts';
const confirmations = 'test/unit/core/calls/confirmations.test.ts';
const hubConnection = 'test/unit/channels/hub/protocol/connection/hub-connection.test.ts';
const signalrScenarios = 'test/conformance/signalr-scenarios.test.ts';
const httpTransports = 'test/conformance/signalr-http-transports.test.ts';
const messagePack = 'test/conformance/signalr-message-pack.test.ts';
const messagePackCodec = 'test/unit/channels/hub/protocol/codec/message-pack-codec.test.ts';
const jsonCodec = 'test/unit/channels/hub/protocol/codec/json-codec.test.ts';
const handshake = 'test/unit/channels/hub/protocol/codec/handshake.test.ts';
const otherClients = 'test/conformance/signalr-other-clients.test.ts';
const callerRooms = 'test/integration/caller-rooms.test.ts';
const callerRoom = 'test/unit/core/limits/caller-room.test.ts';
const statefulFrames = 'test/conformance/signalr-stateful-frames.test.ts';
const identity = 'test/integration/identity.test.ts';

/** The statements whose ids begin with `wire-3`. */
export const wireSection3: readonly Requirement[] = [
  {
    id: 'wire-3-01',
    tests: [
      { file: signalrClient, title: 'gets Connected first, the events of the turn, and the result after its end' },
      { file: wholeTurn, title: 'over the hub, with the official client (contract/hub.md)' },
      {
        file: signalrClient,
        title:
          'holds a turn with a confirmation, answered over HTTP while it runs (contract/confirmations.md#answering)',
      },
    ],
  },
  {
    id: 'wire-3-02',
    tests: [
      { file: signalrFrames, title: 'announces the id the connection will have, under a token that opens it once' },
      { file: signalrFrames, title: 'speaks version 0, where the id is also the token' },
    ],
  },
  {
    id: 'wire-3-03',
    tests: [
      { file: signalrFrames, title: 'accepts a handshake split over frames, and messages joined to it' },
      { file: signalrFrames, title: 'takes several messages of one frame in order, and answers them' },
    ],
  },
  {
    id: 'wire-3-04',
    tests: [{ file: signalrFrames, title: 'streams, cancels and completes' }],
  },
  {
    id: 'wire-3-05',
    tests: [
      { file: signalrFrames, title: 'sends Close with allowReconnect when the server closes' },
      {
        file: signalrClient,
        title: 'reconnects when the server asks it to, and does not when the server has an error',
      },
    ],
  },
  {
    id: 'wire-3-06',
    tests: [
      { file: hubEvents, title: 'are PascalCase, as .NET and Java compare them exactly' },
      { file: specGapsTurn, title: 'carry exactly the fields of the table, in one object each, numbered without gaps' },
    ],
  },
  {
    id: 'wire-3-07',
    tests: [{ file: readArguments, title: 'reads text, attachments, page and a submitted card' }],
  },
  {
    id: 'wire-3-08',
    tests: [
      { file: signalrClient, title: 'gets Connected first, the events of the turn, and the result after its end' },
    ],
  },
  {
    id: 'wire-3-09',
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
        file: 'test/conformance/signalr-client.test.ts',
        title: 'gets a refused turn as a result, not as an exception',
      },
    ],
  },
  {
    id: 'wire-3-10',
    tests: [
      { file: signalrClient, title: 'gets the events as items of the stream, and not as hub events' },
      {
        file: hubEvents,
        title: 'carry their name as items of a stream, with the same numbers (contract/hub.md#methods, StreamMessage)',
      },
    ],
  },
  {
    id: 'wire-3-11',
    tests: [{ file: signalrClient, title: 'gets the events as items of the stream, and not as hub events' }],
  },
  {
    id: 'wire-3-12',
    tests: [{ file: signalrClient, title: 'stops the turn by cancelling the stream' }],
  },
  {
    id: 'wire-3-13',
    tests: [{ file: readArguments, title: 'takes what is left out or null for absent, as .NET sends it: %j' }],
  },
  {
    id: 'wire-3-14',
    tests: [{ file: hub, title: 'begins an empty conversation and stops what runs' }],
  },
  {
    id: 'wire-3-15',
    tests: [{ file: hubMethods, title: 'run beside the turn' }],
  },
  {
    id: 'wire-3-16',
    tests: [{ file: readArguments, title: 'takes page data up to 8 KiB of JSON' }],
  },
  {
    id: 'wire-3-17',
    tests: [{ file: signalrClient, title: 'connects without negotiation and learns its id' }],
  },
  {
    id: 'wire-3-18',
    tests: [
      { file: hubMethods, title: 'answers first, then sends what was missed, then what comes' },
      { file: hub, title: 'keeps the turn for the grace, sends open confirmations again, and carries on what waits' },
    ],
  },
  {
    id: 'wire-3-19',
    tests: [
      { file: hub, title: 'answers null to Resume for an unknown turn' },
      { file: hubMethods, title: 'answers null for a turn that is unknown or no longer all there' },
    ],
  },
  {
    id: 'wire-3-20',
    tests: [
      { file: liveSession, title: 'lets a second message wait for the first' },
      { file: hub, title: 'lets messages wait for each other, in order' },
    ],
  },
  {
    id: 'wire-3-21',
    tests: [
      { file: signalrClient, title: 'stops a turn over HTTP by its connection id, waiting messages included' },
      { file: specGapsTurn, title: 'by the id of the running turn drops the messages that wait behind it too' },
    ],
  },
  {
    id: 'wire-3-22',
    tests: [{ file: signalrClient, title: 'lets neither a message nor a stream wait for a stream' }],
  },
  {
    id: 'wire-3-23',
    tests: [{ file: hubMethods, title: 'run beside the turn' }],
  },
  {
    id: 'wire-3-24',
    tests: [
      { file: signalrClient, title: 'stops the turn by cancelling the stream' },
      { file: signalrFrames, title: 'pings a silent connection' },
    ],
  },
  {
    id: 'wire-3-25',
    tests: [
      { file: runTurn, title: 'an empty message is refused' },
      { file: signalrClient, title: 'gets a refused turn as a result, not as an exception' },
    ],
  },
  {
    id: 'wire-3-26',
    tests: [
      { file: hubMethods, title: 'refuses wrong argument types with the words of SignalR, and runs nothing' },
      { file: signalrClient, title: 'gets the errors of SignalR for wrong calls' },
    ],
  },
  {
    id: 'wire-3-28',
    tests: [
      { file: connectionToken, title: 'is of no use after its time' },
      { file: signalrFrames, title: 'announces the id the connection will have, under a token that opens it once' },
    ],
  },
  {
    id: 'wire-3-30',
    tests: [{ file: confirmations, title: 'keeps at most 20 open confirmations per user (contract/hub.md)' }],
  },
  {
    id: 'wire-3-32',
    tests: [
      { file: confirmations, title: 'ends as cancelled when the turn is stopped by connection-closed' },
      { file: hubMethods, title: 'closes the session at once after a graceful end' },
    ],
  },
  {
    id: 'wire-3-33',
    tests: [
      { file: hubConnection, title: 'counts its own Close with allowReconnect as a drop, whatever the client answers' },
      { file: signalrFrames, title: 'takes a cut line for dropped' },
      { file: signalrFrames, title: 'takes WebSocket code 3000 for dropped' },
    ],
  },
  {
    id: 'wire-3-36',
    tests: [
      { file: signalrClient, title: 'reconnects after its line was cut and picks the turn up with nothing lost' },
    ],
  },
  {
    id: 'wire-3-37',
    tests: [
      { file: hub, title: 'keeps the turn for the grace, sends open confirmations again, and carries on what waits' },
      {
        file: confirmations,
        title: 'sends an open confirmation again to a reader that comes back, under the same actionId and seq',
      },
    ],
  },
  {
    id: 'wire-3-38',
    tests: [
      { file: hub, title: 'keeps the turn for the grace, sends open confirmations again, and carries on what waits' },
    ],
  },
  {
    id: 'wire-3-39',
    tests: [
      {
        file: runTurn,
        title:
          'shows the model the page the user is on as data, for this turn only (contract/hub.md#when-the-line-breaks)',
      },
    ],
  },
  {
    id: 'wire-3-40',
    tests: [
      { file: signalrClient, title: 'gets the errors of SignalR for wrong calls' },
      { file: signalrFrames, title: 'refuses another protocol, says why and closes' },
    ],
  },
  {
    id: 'wire-3-63',
    tests: [{ file: identity, title: 'is resumed on the hub by that user alone: null for all others' }],
  },
  {
    id: 'wire-3-41',
    tests: [
      { file: signalrScenarios, title: 'gets back what it sent, whatever it is' },
      { file: signalrScenarios, title: 'knows its connection by the id the server has' },
      { file: httpTransports, title: 'opens at once, and carries each message as data' },
      {
        file: httpTransports,
        title: 'answers the first poll empty and at once, and later ones with all that was queued',
      },
    ],
  },
  {
    id: 'wire-3-44',
    tests: [
      { file: signalrScenarios, title: 'gets back what it sent, whatever it is' },
      { file: messagePack, title: 'may be split, and joined to the handshake and to each other' },
      { file: messagePackCodec, title: 'writes the bytes of the protocol’s specification' },
    ],
  },
  {
    id: 'wire-3-45',
    tests: [
      { file: signalrScenarios, title: 'returns what its handler returns, while the call that asked still runs' },
      { file: signalrScenarios, title: 'says that its handler failed, or that there is none' },
      { file: hubConnection, title: 'says why there is no answer' },
    ],
  },
  {
    id: 'wire-3-51',
    tests: [{ file: statefulFrames, title: 'is counted once, also while its client is away' }],
  },
  {
    id: 'wire-3-91',
    tests: [
      { file: signalrFrames, title: 'take an empty id for none: %s' },
      { file: handshake, title: 'takes version 0 of %s for 1, as ASP.NET Core does' },
      { file: otherClients, title: 'negotiates with an empty text body and connects in JSON' },
      { file: otherClients, title: 'skips negotiation with an empty id' },
      { file: otherClients, title: 'speaks MessagePack, with an empty id too' },
      {
        file: otherClients,
        title: 'connects over WebSockets with version 0, a host without its port and headers in its calls',
      },
      { file: otherClients, title: 'connects over LongPolling: it posts its handshake before it polls' },
    ],
  },
  {
    id: 'wire-3-92',
    tests: [
      { file: messagePack, title: 'carry bytes and dates both ways: arguments, results, events and items of streams' },
      { file: messagePackCodec, title: 'writes bytes and dates as such, a date as extension -1, wherever they stand' },
      { file: jsonCodec, title: 'writes bytes as base64 and dates as ISO 8601, wherever they stand' },
    ],
  },
  {
    id: 'wire-3-93',
    tests: [
      { file: callerRooms, title: 'hold nothing of the attachments that are dropped while images are off' },
      {
        file: callerRooms,
        title: 'hold 4 MiB of one caller at most: more are refused as overloaded, those of others wait',
      },
      { file: callerRoom, title: 'is bounded by what all callers hold together, too' },
    ],
  },
];
