import type { Requirement } from '../requirement.ts';

const crossOrigin = 'test/unit/channels/shared/cross-origin.test.ts';
const requestTime = 'test/integration/request-time.test.ts';
const pipelined = 'test/integration/pipelined-requests.test.ts';
const bounds = 'test/integration/request-bounds.test.ts';
const uploadRoom = 'test/unit/channels/shared/upload-room.test.ts';
const proxyHint = 'test/unit/channels/shared/proxy-hint.test.ts';
const everyAddress = 'test/integration/cross-origin.test.ts';

/** The statements about what every way into the server withstands, and whom it answers. */
export const doorRequirements: readonly Requirement[] = [
  {
    id: 'wire-1-80',
    tests: [
      { file: everyAddress, title: 'bound to all addresses, refuses %s, and runs nothing (DNS rebinding)' },
      { file: everyAddress, title: 'bound to all addresses, lets in who asks for %s' },
      { file: crossOrigin, title: 'a name that is not listed, when bound to all' },
      { file: crossOrigin, title: 'a name that is not listed, when bound to a name' },
      { file: crossOrigin, title: 'an IPv6 address, when bound to all' },
    ],
  },
  {
    id: 'wire-8-80',
    tests: [
      { file: requestTime, title: 'ends %s with 408 and lets go of a client that does not close its side' },
      { file: requestTime, title: 'ends a head that drips' },
      { file: requestTime, title: 'ends a body that drips' },
      { file: requestTime, title: 'counts anew for the next request of a connection' },
      { file: requestTime, title: 'ends a TLS handshake that is never made' },
      { file: requestTime, title: 'ends no answer: a stream may take as long as it likes' },
      {
        file: requestTime,
        title: 'never answers in the middle of another answer: half a request behind a stream ends the connection',
      },
    ],
  },
  {
    id: 'wire-8-81',
    tests: [
      { file: bounds, title: 'refuses one request more with 429 and Retry-After, until one of the others has ended' },
      { file: bounds, title: 'with trustProxy counts visitors: another one is let in' },
      { file: bounds, title: 'with trustProxy counts a /64 of IPv6 as one' },
      { file: bounds, title: 'without trustProxy counts the proxy, whatever it sends' },
      { file: bounds, title: 'answers probes all the same' },
      {
        file: bounds,
        title: 'says in the log once that a proxy is not trusted, when a request with X-Forwarded-For hits it',
      },
      { file: proxyHint, title: 'is told of once a minute while server.trustProxy is off' },
    ],
  },
  {
    id: 'wire-8-82',
    tests: [
      {
        file: bounds,
        title: 'of one caller are refused with 429 beyond 32 MiB, and taken again when others have ended',
      },
      { file: bounds, title: 'of all callers together are refused with 503 beyond 128 MiB' },
      { file: bounds, title: 'of 60 at once by one client leave a real process small' },
      { file: bounds, title: 'are bounded by twice the connections and 1,024; the next are dropped' },
      { file: uploadRoom, title: 'is bounded for each caller, to the byte' },
    ],
  },
  {
    id: 'wire-5-90',
    tests: [
      { file: bounds, title: 'is read once the one before it has ended, and then answered like any other' },
      {
        file: bounds,
        title: 'is not held up by one whose client has left, nor by one that left while it waited',
      },
      { file: bounds, title: 'is refused before it waits where the connection is not known' },
    ],
  },
  {
    id: 'wire-4-80',
    tests: [
      { file: pipelined, title: 'run one after the other, in the order they were sent' },
      { file: pipelined, title: 'are not begun by the hundred: 458 cut the connection, and one turn was begun' },
      { file: pipelined, title: 'that wait end with their socket' },
      { file: pipelined, title: 'that would leave HTTP behind another one are answered as HTTP' },
    ],
  },
  {
    id: 'wire-3-80',
    tests: [
      { file: pipelined, title: '%s is answered %i and closed' },
      { file: pipelined, title: 'keeps no process from ending with 0 on SIGTERM' },
    ],
  },
];
