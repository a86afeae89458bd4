import type { Requirement } from '../requirement.ts';

const signalrClient = 'test/conformance/signalr-client.test.ts';
const signalrFrames = 'test/conformance/signalr-frames.test.ts';
const hub = 'test/integration/hub.test.ts';
const hubMethods = 'test/unit/channels/hub/hub-methods.test.ts';
const connectionToken = 'test/unit/channels/hub/protocol/connection-token.test.ts';
const httpTransports = 'test/conformance/signalr-http-transports.test.ts';
const signalrCallers = 'test/conformance/signalr-callers.test.ts';
const statefulFrames = 'test/conformance/signalr-stateful-frames.test.ts';
const statefulClient = 'test/conformance/signalr-stateful-client.test.ts';
const hubStateful = 'test/integration/hub-stateful.test.ts';
const limits = 'test/integration/limits.test.ts';
const sse = 'test/integration/sse.test.ts';
const callerRooms = 'test/integration/caller-rooms.test.ts';
const earlyPosts = 'test/conformance/signalr-early-posts.test.ts';
const identity = 'test/integration/identity.test.ts';

/** The statements about tokens, limits and lost lines of connections. */
export const wireSection3Connections: readonly Requirement[] = [
  {
    id: 'wire-3-27',
    tests: [
      { file: connectionToken, title: 'refuses every other spelling, other keys, and ids that were never signed' },
      { file: signalrFrames, title: 'answers 404 to tokens that are forged or too old' },
    ],
  },
  {
    id: 'wire-3-29',
    tests: [
      { file: hub, title: 'bounds the connections of one address' },
      { file: callerRooms, title: 'are, as shipped, enough for an office behind one address, and 20 for one user' },
      { file: callerRooms, title: 'are counted over the hub and server-sent events together: of an address' },
      { file: limits, title: 'counts the connections of one IPv6 network as those of one address' },
      { file: signalrCallers, title: 'are no more than there is room %s when they go on together' },
    ],
  },
  {
    id: 'wire-3-31',
    tests: [
      { file: signalrClient, title: 'ends its turn at once when it stops, and frees the session' },
      { file: signalrFrames, title: 'takes a Close message for graceful' },
      { file: signalrFrames, title: 'takes WebSocket code 1000 for graceful' },
      { file: signalrFrames, title: 'takes WebSocket code 1001 for dropped' },
      { file: signalrFrames, title: 'takes no WebSocket code for graceful' },
    ],
  },
  {
    id: 'wire-3-34',
    tests: [
      { file: signalrFrames, title: 'takes WebSocket code 1001 for dropped' },
      { file: hub, title: 'is forgotten when the grace is over' },
      { file: hubMethods, title: 'keeps the session after a drop until its turn is over' },
    ],
  },
  {
    id: 'wire-3-35',
    tests: [{ file: sse, title: 'stops at once with a grace of 0' }],
  },
  {
    id: 'wire-3-60',
    tests: [
      { file: identity, title: 'the hub reads access_token from the query of GET alone' },
      { file: identity, title: 'the query is not read here' },
    ],
  },
  {
    id: 'wire-3-61',
    tests: [{ file: identity, title: 'is closed with allowReconnect when its token expires' }],
  },
  {
    id: 'wire-3-62',
    tests: [
      { file: identity, title: 'counts with all others of its user, wherever they come from' },
      {
        file: callerRooms,
        title: 'are counted over the hub and server-sent events together: of a user, wherever they come from',
      },
    ],
  },
  {
    id: 'wire-3-42',
    tests: [
      {
        file: connectionToken,
        title: 'still names its connection when its time is over, for the requests that follow',
      },
      { file: httpTransports, title: 'puts messages together that come in several requests' },
    ],
  },
  {
    id: 'wire-3-43',
    tests: [{ file: httpTransports, title: 'ends by DELETE with 202, which is graceful, and is unknown then' }],
  },
  {
    id: 'wire-3-46',
    tests: [
      { file: signalrCallers, title: 'comes back with a new one when the old one ends' },
      { file: signalrCallers, title: 'lets a connection live as long as the new credential of its caller' },
      {
        file: 'test/browser/widget-identity.test.ts',
        title:
          'a token is renewed before it ends, so that the connection never drops (contract/hub.md#when-the-line-breaks)',
      },
    ],
  },
  {
    id: 'wire-3-47',
    tests: [
      {
        file: connectionToken,
        title: 'is of use to the caller it was issued to, and to no other (contract/hub.md#connections)',
      },
      { file: signalrCallers, title: 'opens nothing for another caller, or for nobody' },
      { file: signalrCallers, title: 'lets no other caller poll, speak for, end or refresh a connection' },
    ],
  },
  {
    id: 'wire-3-48',
    tests: [
      { file: statefulFrames, title: 'is offered to clients that ask for it, with version 1' },
      {
        file: statefulFrames,
        title: 'that it has not acknowledged come again, behind a Sequence that names the first of them',
      },
      { file: statefulFrames, title: 'are acknowledged, each number once, with pings and acknowledgements uncounted' },
      {
        file: statefulFrames,
        title: 'are acknowledged again when they come again, so that no client keeps them for ever',
      },
      { file: statefulFrames, title: 'has one at a time: a second one takes over' },
      { file: statefulClient, title: 'loses no event and doubles none, however often it is cut' },
    ],
  },
  {
    id: 'wire-3-49',
    tests: [
      { file: hubStateful, title: 'goes on with nothing lost and nothing twice, however often the line is cut' },
      { file: hubStateful, title: 'streams on where it was, and stops when the stream is cancelled' },
      { file: hubStateful, title: 'asks a question once, which keeps its actionId and is answered once' },
      { file: statefulFrames, title: 'takes none of another caller, whose attempt changes nothing' },
      { file: hubStateful, title: 'is followed by the messages that wait behind it, where it was resumed' },
      {
        file: hubStateful,
        title: 'goes on for who resumed it during a turn of its own, when its client never comes back',
      },
    ],
  },
  {
    id: 'wire-3-50',
    tests: [
      { file: hubStateful, title: 'is stopped when the time for that is over, and not after that time once more' },
      { file: hubStateful, title: 'is not waited for with a grace of 0' },
      { file: statefulFrames, title: 'waits for a client as long as it says, and then tells the application' },
    ],
  },
  {
    id: 'wire-3-90',
    tests: [
      { file: earlyPosts, title: 'is kept for a LongPolling connection and answered 200' },
      { file: earlyPosts, title: 'is kept for an event stream' },
      { file: earlyPosts, title: 'is no reason to keep more than the limit: 413, and of all clients together 503' },
      {
        file: earlyPosts,
        title: 'takes a place among the connections of its caller, which is that of its connection later',
      },
      { file: earlyPosts, title: 'is forgotten with its place when no GET comes' },
    ],
  },
];
