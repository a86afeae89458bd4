import type { Requirement } from '../requirement.ts';

const texts = 'test/unit/core/language/texts.test.ts';
const runTurn = 'test/unit/core/turn/run-turn.test.ts';
const signalrClient = 'test/conformance/signalr-client.test.ts';
const invokeTool = 'test/unit/core/calls/invoke-tool.test.ts';
const liveSession = 'test/unit/core/sessions/live-session.test.ts';
const callerRooms = 'test/integration/caller-rooms.test.ts';

/** The statements whose ids begin with `wire-8`. */
export const wireSection8: readonly Requirement[] = [
  {
    id: 'wire-8-01',
    tests: [
      { file: 'test/integration/error-codes.test.ts', title: 'stand in the contract, each with its status' },
      { file: 'test/integration/error-codes.test.ts', title: 'a whole server answers %s with its status' },
    ],
  },
  {
    id: 'wire-8-02',
    tests: [{ file: texts, title: 'is there in %s, with the same placeholders as in English' }],
  },
  {
    id: 'wire-8-03',
    tests: [
      { file: runTurn, title: 'one more is refused' },
      { file: runTurn, title: 'an empty message is refused' },
      { file: signalrClient, title: 'lets neither a message nor a stream wait for a stream' },
      { file: liveSession, title: 'lets running turns finish within the grace and refuses new ones' },
    ],
  },
  {
    id: 'wire-8-04',
    tests: [
      { file: runTurn, title: 'ends the turn as failed with model_unavailable, and the next message works' },
      { file: runTurn, title: 'ends the turn as failed with model_timeout, and the next message works' },
      { file: runTurn, title: 'ends the turn as failed with model_refused, and the next message works' },
      { file: runTurn, title: 'fails as tool_loop_limit when the model calls tools all the same' },
    ],
  },
  {
    id: 'wire-8-05',
    tests: [{ file: runTurn, title: 'shows nothing of an unexpected fault' }],
  },
  {
    id: 'wire-8-06',
    tests: [{ file: runTurn, title: 'with the hook both get its message' }],
  },
  {
    id: 'wire-8-07',
    tests: [
      { file: invokeTool, title: 'ends as failed with action_unavailable, and onException is not asked' },
      { file: texts, title: 'is there in %s, with the same placeholders as in English' },
    ],
  },
  {
    id: 'wire-8-08',
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
