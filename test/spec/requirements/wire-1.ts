import type { Requirement } from '../requirement.ts';

const ownerCheck = 'test/unit/core/identity/owner-check.test.ts';
const session = 'test/integration/session.test.ts';
const specGapsTurn = 'test/integration/spec-gaps-turn.test.ts';
const connectionToken = 'test/unit/channels/hub/protocol/connection-token.test.ts';
const specGapsHttp = 'test/integration/spec-gaps-http.test.ts';
const signalrClient = 'test/conformance/signalr-client.test.ts';
const signalrFrames = 'test/conformance/signalr-frames.test.ts';
const sse = 'test/integration/sse.test.ts';
const control = 'test/integration/control.test.ts';
const hub = 'test/integration/hub.test.ts';
const crossOrigin = 'test/unit/channels/shared/cross-origin.test.ts';
const specGapsServer = 'test/integration/spec-gaps-server.test.ts';
const identity = 'test/integration/identity.test.ts';
const memory = 'test/integration/memory-requests.test.ts';
const everyAddress = 'test/integration/cross-origin.test.ts';
const hostileOrigin = 'test/browser/hostile-origin.test.ts';
const dnsRebinding = 'test/browser/dns-rebinding.test.ts';

/** The statements whose ids begin with `wire-1`. */
export const wireSection1: readonly Requirement[] = [
  {
    id: 'wire-1-01',
    tests: [
      { file: specGapsTurn, title: 'carry exactly the fields of the table, in one object each, numbered without gaps' },
      {
        file: specGapsTurn,
        title: 'carry ids of at most 64 characters of [A-Za-z0-9._-], each given once, and times in RFC 3339 UTC',
      },
    ],
  },
  {
    id: 'wire-1-02',
    tests: [
      {
        file: specGapsTurn,
        title: 'carry ids of at most 64 characters of [A-Za-z0-9._-], each given once, and times in RFC 3339 UTC',
      },
      {
        file: connectionToken,
        title: 'makes ids and tokens of the alphabet and length of contract/identity.md#tokens',
      },
    ],
  },
  {
    id: 'wire-1-03',
    tests: [
      { file: specGapsHttp, title: 'every fault is a problem document with all six members, and nothing from inside' },
    ],
  },
  {
    id: 'wire-1-04',
    tests: [
      { file: signalrClient, title: 'gets the errors of SignalR for wrong calls' },
      { file: signalrFrames, title: 'answers 404 to tokens that are forged or too old' },
    ],
  },
  {
    id: 'wire-1-05',
    tests: [
      { file: specGapsHttp, title: 'every fault is a problem document with all six members, and nothing from inside' },
      { file: sse, title: 'tells a failing model as failure, then end' },
    ],
  },
  {
    id: 'wire-1-06',
    tests: [
      { file: sse, title: 'a body that is not JSON' },
      { file: control, title: 'POST /helper/%s with %s is 415 not_json' },
      { file: specGapsHttp, title: 'a body of another kind has a request id and security headers' },
      { file: signalrFrames, title: 'takes any small body and answers 405 to anything but POST' },
    ],
  },
  {
    id: 'wire-1-07',
    tests: [{ file: control, title: 'checks in the order 415, 413, 400, 404' }],
  },
  {
    id: 'wire-1-08',
    tests: [
      { file: sse, title: 'a foreign website' },
      { file: everyAddress, title: 'refuses %s, and runs nothing' },
      { file: everyAddress, title: 'is asked here: each that says it may answer 403' },
    ],
  },
  {
    id: 'wire-1-09',
    tests: [
      { file: control, title: 'refuses a foreign website before anything is answered (contract/doors.md)' },
      { file: specGapsHttp, title: 'a foreign website may not cancel either' },
    ],
  },
  {
    id: 'wire-1-10',
    tests: [
      { file: hub, title: 'refuses a negotiation of a foreign website with a problem that names the setting' },
      { file: hub, title: 'upgrades a foreign origin accordingly' },
    ],
  },
  {
    id: 'wire-1-11',
    tests: [
      { file: sse, title: 'a cross-site GET without an origin' },
      { file: crossOrigin, title: 'cross-site without an origin' },
      { file: crossOrigin, title: 'a neighbour on the same host or domain, without an origin' },
    ],
  },
  {
    id: 'wire-1-12',
    tests: [
      { file: control, title: 'lets the origin https://shop.example.com answer' },
      { file: crossOrigin, title: 'a listed origin, cross-site' },
      { file: hub, title: 'upgrades a listed origin accordingly' },
      { file: everyAddress, title: 'lets in a listed website' },
    ],
  },
  {
    id: 'wire-1-13',
    tests: [
      { file: crossOrigin, title: 'a program that sends no such header' },
      { file: everyAddress, title: 'lets in a program without any of the headers' },
      { file: hub, title: 'upgrades no origin, as programs send it accordingly' },
    ],
  },
  {
    id: 'wire-1-14',
    tests: [
      { file: crossOrigin, title: 'another port' },
      { file: crossOrigin, title: 'another scheme' },
      { file: crossOrigin, title: 'another host' },
      { file: crossOrigin, title: 'publicUrl, whatever Host the proxy sends' },
      { file: crossOrigin, title: 'Host is not the own origin once publicUrl is set' },
    ],
  },
  {
    id: 'wire-1-15',
    tests: [
      { file: crossOrigin, title: 'a name that was bound to loopback by DNS' },
      { file: crossOrigin, title: 'a rebound name that claims its own origin' },
      { file: hub, title: 'upgrades a foreign host name, against DNS rebinding accordingly' },
      { file: everyAddress, title: 'refuses %s, and runs nothing (DNS rebinding)' },
      { file: dnsRebinding, title: 'is refused everything, though the browser takes it for this server' },
    ],
  },
  {
    id: 'wire-1-16',
    tests: [
      { file: control, title: 'refuses a foreign website before anything is answered (contract/doors.md)' },
      { file: hub, title: 'refuses a negotiation of a foreign website with a problem that names the setting' },
    ],
  },
  {
    id: 'wire-1-17',
    tests: [
      { file: specGapsHttp, title: 'a stream has a request id and security headers' },
      { file: specGapsHttp, title: 'an answer has a request id and security headers' },
      { file: specGapsHttp, title: 'an unknown path has a request id and security headers' },
      { file: specGapsHttp, title: 'an address that is none has a request id and security headers' },
      { file: specGapsHttp, title: 'a preflight has a request id and security headers' },
      { file: specGapsHttp, title: 'a head over 64 KiB has them too, though it never becomes a request' },
      { file: sse, title: 'takes a new request id where the given one is not well-formed' },
    ],
  },
  {
    id: 'wire-1-18',
    tests: [
      {
        file: specGapsHttp,
        title: 'a website that is listed may read turn, request id and retry time, and send what clients send',
      },
    ],
  },
  {
    id: 'wire-1-19',
    tests: [
      { file: specGapsHttp, title: 'a stream has a request id and security headers' },
      { file: specGapsHttp, title: 'a fault of the server has a request id and security headers' },
      { file: specGapsHttp, title: 'OPTIONS that is no preflight has a request id and security headers' },
      { file: specGapsHttp, title: 'a head over 64 KiB has them too, though it never becomes a request' },
    ],
  },
  {
    id: 'wire-1-20',
    tests: [
      { file: specGapsHttp, title: 'all JSON has Cache-Control: no-store' },
      { file: 'test/integration/tour.test.ts', title: 'is not sent again to a client that has it' },
      {
        file: 'test/integration/openapi.test.ts',
        title: 'is the same for everyone, and not sent again to a client that has it',
      },
    ],
  },
  {
    id: 'wire-1-21',
    tests: [{ file: specGapsHttp, title: 'queries of chat and hub requests, Authorization and cookies' }],
  },
  {
    id: 'wire-1-22',
    tests: [
      { file: specGapsHttp, title: 'the connectionId of an anonymous connection' },
      {
        file: 'test/integration/security-log.test.ts',
        title: 'never shows the id of an anonymous connection, which opens it',
      },
    ],
  },
  {
    id: 'wire-1-23',
    tests: [
      { file: control, title: 'stops by connectionId' },
      {
        file: control,
        title:
          'stops a turn by its turnId: the model is aborted before the answer and the turn ends as stopped without an error',
      },
    ],
  },
  {
    id: 'wire-1-24',
    tests: [
      {
        file: sse,
        title: 'sends cards, navigation and confirmations under the numbers of the one sequence, so with gaps',
      },
      { file: control, title: 'an unknown actionId answers nothing' },
    ],
  },
  {
    id: 'wire-1-25',
    tests: [{ file: specGapsServer, title: 'serves everything under server.basePath but what operators ask for' }],
  },
  {
    id: 'wire-1-60',
    tests: [
      { file: session, title: 'checks in the order 415, 404, owner, 413, 400 (contract/identity.md#whose-it-is)' },
      { file: session, title: 'answers 409 turn_in_progress while a turn runs' },
    ],
  },
  {
    id: 'wire-1-61',
    tests: [
      { file: ownerCheck, title: "an anonymous caller's, asked for by one who holds its id" },
      { file: ownerCheck, title: "an anonymous caller's, asked for by a user" },
      { file: memory, title: 'of a connection without a name is told by the id of the connection' },
    ],
  },
  {
    id: 'wire-1-40',
    tests: [
      {
        file: identity,
        title:
          'a presented token that is not valid is 401 on every address that chats, and says so (contract/identity.md#tokens)',
      },
      { file: identity, title: 'an expired token' },
      { file: identity, title: 'nothing is anonymous' },
    ],
  },
  {
    id: 'wire-1-41',
    tests: [
      { file: identity, title: 'from a page of this server' },
      { file: identity, title: 'from a link in a mail, or typed' },
      { file: identity, title: 'from a link, with a Referer of this server' },
      { file: identity, title: 'of a listed website' },
      { file: everyAddress, title: 'lets in %s, save for the GET of chat' },
      { file: identity, title: 'without any of the headers' },
      { file: identity, title: 'with a Referer of this server' },
      { file: identity, title: 'with a Referer of another site' },
    ],
  },
  {
    id: 'wire-1-42',
    tests: [
      { file: identity, title: 'is approved by that user alone: anonymous 401, another user 403' },
      { file: identity, title: 'is cancelled by that user alone, by connection and by turn' },
      { file: ownerCheck, title: "a user's, asked for by another user" },
      { file: ownerCheck, title: "a user's, asked for anonymously" },
      { file: memory, title: 'of a signed-in user’s connection is that user’s' },
    ],
  },
  {
    id: 'wire-1-43',
    tests: [
      { file: identity, title: 'that was anonymous is not a user’s: 403, and null' },
      { file: ownerCheck, title: "an anonymous caller's, asked for by a user" },
    ],
  },
  {
    id: 'wire-1-44',
    tests: [
      {
        file: identity,
        title: 'over SSE is cancelled by that user alone, while whoever holds its actionId may answer',
      },
    ],
  },
  {
    id: 'wire-1-70',
    tests: [
      { file: hostileOrigin, title: 'that is not listed runs nothing, whatever it tries: %s' },
      { file: everyAddress, title: 'refuses one with a token, and runs nothing' },
      { file: everyAddress, title: 'refuses one with a cookie, and runs nothing' },
      { file: everyAddress, title: 'refuses one with a token that is not valid, and runs nothing' },
      { file: hostileOrigin, title: 'runs nothing where all are listed, without credentials' },
      { file: hostileOrigin, title: 'that is listed chats as that user: the cookie is sent, and counts' },
      { file: crossOrigin, title: 'of a listed website that may not send cookies' },
    ],
  },
  {
    id: 'wire-1-71',
    tests: [
      {
        file: 'test/integration/callback.test.ts',
        title:
          'goes on in the trace that the caller began, and not in one that is not well-formed (contract/addresses.md#requests)',
      },
      {
        file: 'test/integration/telemetry.test.ts',
        title: 'goes on in the trace that a hub call names among its headers',
      },
      {
        file: 'test/unit/channels/hub/protocol/codec/trace-header.test.ts',
        title: 'name the trace that it came in',
      },
    ],
  },
];
