import type { Requirement } from '../requirement.ts';

const limits = 'test/integration/limits.test.ts';
const sse = 'test/integration/sse.test.ts';
const specGapsStream = 'test/integration/spec-gaps-stream.test.ts';
const specGapsHttp = 'test/integration/spec-gaps-http.test.ts';
const wholeTurn = 'test/integration/whole-turn.test.ts';
const control = 'test/integration/control.test.ts';
const identity = 'test/integration/identity.test.ts';

/** wire.md 4. */
export const wireSection4: readonly Requirement[] = [
  {
    id: 'wire-4-01',
    source: 'wire.md 4',
    says: 'GET takes message in the query.',
    tests: [{ file: sse, title: 'frames each event as id, event and one line of data, and ends with one end' }],
  },
  {
    id: 'wire-4-02',
    source: 'wire.md 4',
    says: 'POST takes JSON with message and attachments.',
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
    source: 'wire.md 4',
    says: 'Each request is its own conversation.',
    tests: [{ file: sse, title: 'gives each request a conversation of its own' }],
  },
  {
    id: 'wire-4-04',
    source: 'wire.md 4',
    says: 'The answer is 200 text/event-stream, opened at once with retry: 2000 and id: TURN:0.',
    tests: [
      {
        file: sse,
        title: 'opens at once with retry and id TURN:0, whatever the model does, and names the turn in x-turn-id',
      },
    ],
  },
  {
    id: 'wire-4-05',
    source: 'wire.md 4',
    says: 'A frame is id, event and data.',
    tests: [{ file: sse, title: 'frames each event as id, event and one line of data, and ends with one end' }],
  },
  {
    id: 'wire-4-06',
    source: 'wire.md 4',
    says: 'A comment ping keeps a quiet stream open.',
    tests: [{ file: sse, title: 'writes a comment ping on a quiet stream' }],
  },
  {
    id: 'wire-4-07',
    source: 'wire.md 4',
    says: 'The stream has X-Accel-Buffering: no and Cache-Control: no-cache, no-transform.',
    tests: [
      {
        file: sse,
        title: 'opens at once with retry and id TURN:0, whatever the model does, and names the turn in x-turn-id',
      },
    ],
  },
  {
    id: 'wire-4-08',
    source: 'wire.md 4',
    says: 'Faults found before the turn starts are problem+json, never a stream: 400.',
    tests: [
      { file: sse, title: 'no message in the query' },
      { file: sse, title: 'malformed JSON' },
      { file: sse, title: 'a message of the wrong type' },
    ],
  },
  {
    id: 'wire-4-09',
    source: 'wire.md 4',
    says: 'The same: 403, 413 and 415.',
    tests: [
      { file: sse, title: 'a foreign website' },
      { file: sse, title: 'a body that is too large' },
      { file: sse, title: 'a body that is not JSON' },
    ],
  },
  {
    id: 'wire-4-10',
    source: 'wire.md 4',
    says: 'The same: 503 while draining.',
    tests: [{ file: sse, title: 'answers 503 with Retry-After while draining' }],
  },
  {
    id: 'wire-4-11',
    source: 'wire.md 4',
    says: 'The header size limit is 64 KiB: 431.',
    tests: [{ file: specGapsHttp, title: 'a head over 64 KiB has them too, though it never becomes a request' }],
  },
  {
    id: 'wire-4-12',
    source: 'wire.md 4',
    says: 'A message over maxMessageLength is a refused turn: failure, then end.',
    tests: [{ file: sse, title: 'tells a refused message as failure, then end, not as a problem document' }],
  },
  {
    id: 'wire-4-13',
    source: 'wire.md 4',
    says: 'A request with Last-Event-ID never starts a turn: it continues the named one after that seq.',
    tests: [
      { file: sse, title: 'continues the named turn after that seq and never starts one' },
      { file: specGapsHttp, title: 'never moves the last event id back: its opening names the event it goes on from' },
      { file: sse, title: 'replays from the start for TURN:0 after the turn has ended' },
    ],
  },
  {
    id: 'wire-4-14',
    source: 'wire.md 4',
    says: 'The resume buffer is kept for server.resumeWindow after the end.',
    tests: [{ file: sse, title: 'answers 204 once server.resumeWindow is over' }],
  },
  {
    id: 'wire-4-15',
    source: 'wire.md 4',
    says: 'It holds 1 MiB of a turn.',
    tests: [{ file: specGapsStream, title: 'keeps 1 MiB of a turn: what lies before it can no longer be resumed' }],
  },
  {
    id: 'wire-4-16',
    source: 'wire.md 4',
    says: 'It holds 64 MiB in all; the turn that ended first goes first.',
    tests: [{ file: specGapsStream, title: 'keeps 64 MiB in all, and forgets the turn that ended first' }],
  },
  {
    id: 'wire-4-17',
    source: 'wire.md 4',
    says: 'Resuming an unknown turn, or one that ended with nothing after that seq, is 204.',
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
    source: 'wire.md 4',
    says: 'Closing the response stops the turn after server.disconnectGrace.',
    tests: [
      { file: wholeTurn, title: 'closes it within 100 ms after server.disconnectGrace when the client has gone' },
      { file: sse, title: 'stops the model after server.disconnectGrace, and not before' },
    ],
  },
  {
    id: 'wire-4-19',
    source: 'wire.md 4',
    says: 'Unless it was resumed.',
    tests: [
      {
        file: specGapsStream,
        title: 'whose client has gone can be answered within the grace, and is read to its end by who resumes it',
      },
    ],
  },
  {
    id: 'wire-4-20',
    source: 'wire.md 4',
    says: 'An open confirmation counts as running until then.',
    tests: [
      {
        file: specGapsStream,
        title: 'whose client has gone keeps an open confirmation for the grace, and ends it then',
      },
    ],
  },
  {
    id: 'wire-4-21',
    source: 'wire.md 4',
    says: 'The header x-turn-id names the turn for /helper/cancel.',
    tests: [
      {
        file: control,
        title:
          'stops a turn by its turnId: the model is aborted within 100 ms and the turn ends as stopped without an error',
      },
    ],
  },
  {
    id: 'wire-4-22',
    source: 'wire.md 4',
    says: 'Nothing but GET and POST starts a turn.',
    tests: [
      { file: specGapsHttp, title: 'nothing but GET and POST runs a turn: HEAD is a wrong method' },
      { file: sse, title: 'a wrong method' },
    ],
  },
  {
    id: 'wire-4-50',
    source: 'wire.md 4',
    says: '429 of endpoints.transports.rateLimit is problem+json, never a stream.',
    tests: [
      { file: limits, title: 'GET of chat answers 429 with Retry-After' },
      { file: limits, title: 'POST of chat, before its body is looked at answers 429 with Retry-After' },
    ],
  },
  {
    id: 'wire-4-51',
    source: 'wire.md 4',
    says: 'A message over rateLimitPerUser is a refused turn: failure, then end.',
    tests: [{ file: limits, title: 'is a refused turn over server-sent events: failure, then end (wire.md 4)' }],
  },
  {
    id: 'wire-4-40',
    source: 'wire.md 4',
    says: 'Last-Event-ID follows the owner rules, and answers 204 to all others.',
    tests: [{ file: identity, title: 'is continued with Last-Event-ID by that user alone: 204 for all others' }],
  },
];
