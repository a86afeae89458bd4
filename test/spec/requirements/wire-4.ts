import type { Requirement } from '../requirement.ts';

const limits = 'test/integration/limits.test.ts';
const sse = 'test/integration/sse.test.ts';
const specGapsStream = 'test/integration/spec-gaps-stream.test.ts';
const specGapsHttp = 'test/integration/spec-gaps-http.test.ts';
const wholeTurn = 'test/integration/whole-turn.test.ts';
const control = 'test/integration/control.test.ts';
const identity = 'test/integration/identity.test.ts';

/** The statements whose ids begin with `wire-4`. */
export const wireSection4: readonly Requirement[] = [
  {
    id: 'wire-4-01',
    tests: [{ file: sse, title: 'frames each event as id, event and one line of data, and ends with one end' }],
  },
  {
    id: 'wire-4-02',
    tests: [
      { file: sse, title: 'answers POST with a JSON body the same way' },
      {
        file: specGapsStream,
        title: 'takes attachments in a POST, and drops images with a warning while image input is off',
      },
    ],
  },
  {
    id: 'wire-4-03',
    tests: [{ file: sse, title: 'gives each request a conversation of its own' }],
  },
  {
    id: 'wire-4-04',
    tests: [
      {
        file: sse,
        title: 'opens at once with retry and id TURN:0, whatever the model does, and names the turn in x-turn-id',
      },
    ],
  },
  {
    id: 'wire-4-05',
    tests: [{ file: sse, title: 'frames each event as id, event and one line of data, and ends with one end' }],
  },
  {
    id: 'wire-4-06',
    tests: [{ file: sse, title: 'writes a comment ping on a quiet stream' }],
  },
  {
    id: 'wire-4-07',
    tests: [
      {
        file: sse,
        title: 'opens at once with retry and id TURN:0, whatever the model does, and names the turn in x-turn-id',
      },
    ],
  },
  {
    id: 'wire-4-08',
    tests: [
      { file: sse, title: 'no message in the query' },
      { file: sse, title: 'malformed JSON' },
      { file: sse, title: 'a message of the wrong type' },
    ],
  },
  {
    id: 'wire-4-09',
    tests: [
      { file: sse, title: 'a foreign website' },
      { file: sse, title: 'a body that is too large' },
      { file: sse, title: 'a body that is not JSON' },
    ],
  },
  {
    id: 'wire-4-10',
    tests: [{ file: sse, title: 'answers 503 with Retry-After while draining' }],
  },
  {
    id: 'wire-4-11',
    tests: [{ file: specGapsHttp, title: 'a head over 64 KiB has them too, though it never becomes a request' }],
  },
  {
    id: 'wire-4-12',
    tests: [{ file: sse, title: 'tells a refused message as failure, then end, not as a problem document' }],
  },
  {
    id: 'wire-4-13',
    tests: [
      { file: sse, title: 'continues the named turn after that seq and never starts one' },
      { file: specGapsHttp, title: 'never moves the last event id back: its opening names the event it goes on from' },
      { file: sse, title: 'replays from the start for TURN:0 after the turn has ended' },
    ],
  },
  {
    id: 'wire-4-14',
    tests: [{ file: sse, title: 'answers 204 once server.resumeWindow is over' }],
  },
  {
    id: 'wire-4-15',
    tests: [{ file: specGapsStream, title: 'keeps 1 MiB of a turn: what lies before it can no longer be resumed' }],
  },
  {
    id: 'wire-4-16',
    tests: [{ file: specGapsStream, title: 'keeps 64 MiB in all, and forgets the turn that ended first' }],
  },
  {
    id: 'wire-4-17',
    tests: [
      { file: sse, title: 'answers 204 for an unknown turn, which makes an EventSource stop' },
      {
        file: sse,
        title: 'answers 204 for a turn that ended with nothing after that seq, which makes an EventSource stop',
      },
    ],
  },
  {
    id: 'wire-4-18',
    tests: [
      { file: wholeTurn, title: 'closes it after server.disconnectGrace when the client has gone, and not before' },
      { file: sse, title: 'stops the model after server.disconnectGrace, and not before' },
    ],
  },
  {
    id: 'wire-4-19',
    tests: [
      {
        file: specGapsStream,
        title: 'whose client has gone can be answered within the grace, and is read to its end by who resumes it',
      },
    ],
  },
  {
    id: 'wire-4-20',
    tests: [
      {
        file: specGapsStream,
        title: 'whose client has gone keeps an open confirmation for the grace, and ends it then',
      },
    ],
  },
  {
    id: 'wire-4-21',
    tests: [
      {
        file: control,
        title:
          'stops a turn by its turnId: the model is aborted before the answer and the turn ends as stopped without an error',
      },
    ],
  },
  {
    id: 'wire-4-22',
    tests: [
      { file: specGapsHttp, title: 'nothing but GET and POST runs a turn: HEAD is a wrong method' },
      { file: sse, title: 'a wrong method' },
    ],
  },
  {
    id: 'wire-4-50',
    tests: [
      { file: limits, title: 'GET of chat answers 429 with Retry-After' },
      { file: limits, title: 'POST of chat, before its body is looked at answers 429 with Retry-After' },
    ],
  },
  {
    id: 'wire-4-51',
    tests: [
      { file: limits, title: 'is a refused turn over server-sent events: failure, then end (contract/sse.md#faults)' },
    ],
  },
  {
    id: 'wire-4-40',
    tests: [{ file: identity, title: 'is continued with Last-Event-ID by that user alone: 204 for all others' }],
  },
];
