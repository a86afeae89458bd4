import type { Requirement } from '../requirement.ts';

const specGapsHttp = 'test/integration/spec-gaps-http.test.ts';
const texts = 'test/unit/core/language/texts.test.ts';
const runTurn = 'test/unit/core/turn/run-turn.test.ts';
const signalrClient = 'test/conformance/signalr-client.test.ts';
const invokeTool = 'test/unit/core/calls/invoke-tool.test.ts';
const liveSession = 'test/unit/core/sessions/live-session.test.ts';
const callerRooms = 'test/integration/caller-rooms.test.ts';

/** wire.md 8. */
export const wireSection8: readonly Requirement[] = [
  {
    id: 'wire-8-01',
    source: 'wire.md 8',
    says: 'Each code has its status.',
    tests: [{ file: specGapsHttp, title: 'answers each code with its status (wire.md 8)' }],
  },
  {
    id: 'wire-8-02',
    source: 'wire.md 8',
    says: 'Codes in events are told in words, in every language.',
    tests: [{ file: texts, title: 'is there in %s, with the same placeholders as in English' }],
  },
  {
    id: 'wire-8-03',
    source: 'wire.md 8',
    says: 'message_too_long, turn_in_progress, invalid_request and server_draining refuse a turn.',
    tests: [
      { file: runTurn, title: 'one more is refused' },
      { file: runTurn, title: 'an empty message is refused' },
      { file: signalrClient, title: 'lets neither a message nor a stream wait for a stream' },
      { file: liveSession, title: 'lets running turns finish within the grace and refuses new ones' },
    ],
  },
  {
    id: 'wire-8-04',
    source: 'wire.md 8',
    says: 'model_unavailable, model_timeout, model_refused and tool_loop_limit fail one.',
    tests: [
      { file: runTurn, title: 'ends the turn as failed with model_unavailable, and the next message works' },
      { file: runTurn, title: 'ends the turn as failed with model_timeout, and the next message works' },
      { file: runTurn, title: 'ends the turn as failed with model_refused, and the next message works' },
      { file: runTurn, title: 'fails as tool_loop_limit when the model calls tools all the same' },
    ],
  },
  {
    id: 'wire-8-05',
    source: 'wire.md 8',
    says: 'internal tells nothing of what went wrong.',
    tests: [{ file: runTurn, title: 'shows nothing of an unexpected fault' }],
  },
  {
    id: 'wire-8-06',
    source: 'wire.md 8',
    says: 'action_failed says that one action went wrong; the turn goes on.',
    tests: [{ file: runTurn, title: 'with the hook both get its message' }],
  },
  {
    id: 'wire-8-07',
    source: 'wire.md 8',
    says: 'action_unavailable says that the system behind an action is away; the turn goes on.',
    tests: [
      { file: invokeTool, title: 'ends as failed with action_unavailable, and onException is not asked' },
      { file: texts, title: 'is there in %s, with the same placeholders as in English' },
    ],
  },
  {
    id: 'wire-8-08',
    source: 'wire.md 8',
    says: 'overloaded is the event of a turn too many of its caller; a request too many is 429 rate_limited.',
    tests: [
      {
        file: callerRooms,
        title: 'are bounded for a user, whatever the connection and the channel; others go on',
      },
      {
        file: callerRooms,
        title: 'are bounded for an address, whatever the connection and the channel; others go on',
      },
      { file: texts, title: 'is there in %s, with the same placeholders as in English' },
    ],
  },
];
