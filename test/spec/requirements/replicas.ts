import type { Requirement } from '../requirement.ts';

const scaleOut = 'test/unit/config/scale-out.test.ts';
const connections = 'test/integration/replica-connections.test.ts';
const tokens = 'test/unit/channels/hub/protocol/connection-token.test.ts';
const owners = 'test/unit/channels/shared/replicas/connection-owners.test.ts';
const forwarded = 'test/unit/channels/shared/replicas/forwarded-requests.test.ts';
const sealed = 'test/unit/channels/shared/replicas/sealed-pieces.test.ts';

/** Several servers that serve as one. */
export const replicaRequirements: readonly Requirement[] = [
  {
    id: 'configuration-5-70',
    tests: [
      { file: scaleOut, title: 'is off by default, for one server' },
      { file: scaleOut, title: 'may be %s' },
      { file: scaleOut, title: 'may have their keys in a file, and one server needs nothing' },
    ],
  },
  {
    id: 'configuration-5-71',
    tests: [
      { file: scaleOut, title: 'may not be %s' },
      { file: scaleOut, title: 'takes no address it would not understand, and shows no part of it: %s' },
      { file: scaleOut, title: 'shows nothing of %s either' },
    ],
  },
  { id: 'configuration-5-72', tests: [{ file: scaleOut, title: 'do not start without %s' }] },
  {
    id: 'wire-10-40',
    tests: [
      { file: tokens, title: 'are taken where the signing key is a later one, and nowhere else' },
      { file: tokens, title: 'are good where a clock is 30 s ahead' },
      { file: connections, title: 'of the official client over %s works, wherever its requests go' },
    ],
  },
  {
    id: 'wire-10-41',
    tests: [{ file: connections, title: 'of the official client over %s works, wherever its requests go' }],
  },
  {
    id: 'wire-10-42',
    tests: [
      { file: connections, title: 'is opened once by its token, however many sockets ask, on whatever replicas' },
      {
        file: owners,
        title: 'is the one replica of many that claims it at the same time, and all others find it',
      },
      { file: owners, title: 'keeps the token of a short connection from opening another one' },
    ],
  },
  {
    id: 'wire-10-43',
    tests: [
      { file: connections, title: 'saves and restores its conversation through every replica' },
      { file: connections, title: 'is stopped, and its memory read, through every replica' },
      { file: connections, title: 'is given a new credential, and ended, through every replica' },
      { file: owners, title: 'is known until the connection has ended, its token is void, and nothing of it is left' },
      { file: owners, title: 'may be the replica that its id names, where nobody has claimed it' },
    ],
  },
  {
    id: 'wire-10-44',
    tests: [
      { file: connections, title: 'belongs to its user on every replica' },
      {
        file: forwarded,
        title: 'looks as if its client had come there: method, query, credentials, address, host, id',
      },
      { file: forwarded, title: 'gets the status, the headers and the body of the answer' },
    ],
  },
  {
    id: 'wire-10-45',
    tests: [
      { file: forwarded, title: 'is sealed on the bus' },
      { file: sealed, title: 'show nothing of what they hold, and are never the same twice' },
      { file: owners, title: 'keeps its name from the bus' },
    ],
  },
  {
    id: 'wire-10-46',
    tests: [
      { file: forwarded, title: 'ends there when its client leaves' },
      { file: forwarded, title: 'is held to the limit of the route where it is answered' },
      { file: forwarded, title: 'is one of 400 at a time' },
    ],
  },
  {
    id: 'wire-10-47',
    tests: [
      {
        file: connections,
        title: 'is unknown: an open poll ends, later requests say so, and a client that reconnects is served',
      },
      { file: forwarded, title: 'is still to be answered when that replica has gone, also while it was waited for' },
    ],
  },
  {
    id: 'wire-10-48',
    tests: [
      { file: connections, title: 'opens and works; what needs another replica is refused until Redis is back' },
      { file: owners, title: 'is one of them once the bus is back, and the other one is told' },
    ],
  },
  {
    id: 'wire-10-49',
    tests: [{ file: connections, title: 'gets what was posted before its GET, on whatever replicas' }],
  },
  {
    id: 'wire-10-50',
    tests: [
      { file: connections, title: 'that comes back to another replica is refused there, and goes on where it is' },
    ],
  },
];
