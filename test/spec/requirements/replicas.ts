import type { Requirement } from '../requirement.ts';

const overBus = 'test/unit/core/ports/over-bus.test.ts';
const reload = 'test/unit/app/replicas/shared-reload.test.ts';
const readiness = 'test/unit/app/replicas/storage-readiness.test.ts';
const replicas = 'test/integration/replicas.test.ts';
const window = 'test/unit/core/limits/shared-window.test.ts';
const scaleOut = 'test/unit/config/scale-out.test.ts';
const rows = 'test/unit/adapters/stores/replica-rows.test.ts';
const recovery = 'test/unit/app/replicas/recovery.test.ts';
const takenOver = 'test/unit/app/replicas/taken-over.test.ts';
const killed = 'test/integration/replica-recovery.test.ts';
const connections = 'test/integration/replica-connections.test.ts';
const tokens = 'test/unit/channels/hub/protocol/connection-token.test.ts';
const owners = 'test/unit/channels/shared/replicas/connection-owners.test.ts';
const forwarded = 'test/unit/channels/shared/replicas/forwarded-requests.test.ts';
const programs = 'test/integration/replica-programs.test.ts';
const calls = 'test/unit/core/direct/calls-elsewhere.test.ts';
const unreached = 'test/unit/channels/mcp/answered-elsewhere.test.ts';
const named = 'test/unit/channels/a2a/answered-elsewhere.test.ts';
const left = 'test/unit/channels/a2a/tasks.test.ts';
const sealed = 'test/unit/adapters/bus/sealed-messages.test.ts';
const accepted = 'test/unit/adapters/bus/accepted-messages.test.ts';

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
    id: 'wire-10-17',
    tests: [
      { file: replicas, title: 'start while Redis is away, serve, say so, and reach each other once it is there' },
      { file: replicas, title: 'stay ready when Redis %s, and reach each other again by themselves' },
    ],
  },
  {
    id: 'wire-4-83',
    tests: [
      {
        file: replicas,
        title: 'stay ready while PostgreSQL is away, say so, and go on with turns that need none of it',
      },
      { file: readiness, title: 'only degrades a replica once that has reached it, and is ok again by itself' },
      { file: readiness, title: 'fails a replica that has not reached it yet' },
      { file: readiness, title: 'fails a server that has it alone, whenever it takes no writes' },
    ],
  },
  {
    id: 'wire-10-18',
    tests: [
      {
        file: replicas,
        title: 'answer 503 cluster_unavailable for what only another replica can know while Redis is away',
      },
      {
        file: overBus,
        title: 'is 503 cluster_unavailable with Retry-After while the bus is away, and shows no address of Redis',
      },
      { file: overBus, title: 'gets what the other replica answers, and is told when there is no such replica' },
    ],
  },
  {
    id: 'wire-10-19',
    tests: [
      { file: replicas, title: 'show no password of Redis, also when Redis does not take it' },
      {
        file: overBus,
        title: 'is 503 cluster_unavailable with Retry-After while the bus is away, and shows no address of Redis',
      },
    ],
  },
  { id: 'wire-10-20', tests: [{ file: replicas, title: 'are not spoken of where there is one server' }] },
  {
    id: 'wire-10-21',
    tests: [
      {
        file: sealed,
        title:
          'reads nothing of what the replicas tell each other: no call, no answer, no turn, no news, no large body',
      },
      { file: sealed, title: 'opens where it was sealed for, on every replica, and is never the same twice' },
    ],
  },
  {
    id: 'wire-10-22',
    tests: [
      { file: accepted, title: '%s is dropped and counted' },
      { file: accepted, title: 'that is sent again is dropped, and its second attempt gets the first answer' },
      { file: accepted, title: 'to all is heard once, and by nobody who began after it' },
      { file: accepted, title: 'whose stored body was changed is not acted on' },
      { file: accepted, title: 'makes nothing happen with what it has read there, on any channel' },
    ],
  },
  {
    id: 'wire-10-23',
    tests: [
      { file: accepted, title: 'are changed one replica after the other, and no call fails' },
      { file: sealed, title: 'opens with an earlier key, and with no other' },
      { file: sealed, title: 'does not open any more once its key is forgotten' },
    ],
  },
  {
    id: 'configuration-5-73',
    tests: [
      { file: replicas, title: 'count the messages of a user on all replicas together' },
      { file: replicas, title: 'let exactly as many of many messages at once through as there may be' },
      { file: replicas, title: 'count direct calls of a user on all replicas together, apart from messages' },
      { file: window, title: 'gives each kind of attempt its own count' },
    ],
  },
  {
    id: 'configuration-5-74',
    tests: [
      { file: replicas, title: 'are those of each replica while Redis %s' },
      { file: window, title: 'counts by itself while the bus is away, with what it has let through before' },
    ],
  },
  {
    id: 'configuration-5-75',
    tests: [{ file: window, title: 'lets one more through in the same window for one that was taken back' }],
  },
  {
    id: 'configuration-5-76',
    tests: [
      { file: replicas, title: 'is one of all replicas' },
      { file: reload, title: 'waits for the file of a replica that has not changed yet' },
      { file: reload, title: 'takes a file that has changed after it was read and before it is watched' },
      { file: replicas, title: 'is one of nobody when its file has faults' },
      { file: reload, title: 'is nobody’s when its file has faults, and faults of another replica stay there' },
    ],
  },
  {
    id: 'configuration-5-77',
    tests: [{ file: replicas, title: 'reaches a replica that missed it once Redis is back' }],
  },
  {
    id: 'configuration-5-78',
    tests: [{ file: replicas, title: 'reaches others over new keys, first known to all and then used' }],
  },
  {
    id: 'wire-10-40',
    tests: [
      { file: tokens, title: 'are taken where the signing key is a later one, and nowhere else' },
      { file: tokens, title: 'are good where a clock is 30 s ahead' },
      { file: connections, title: 'over $transport in $protocol works for client $release, wherever its requests go' },
    ],
  },
  {
    id: 'wire-10-41',
    tests: [
      { file: connections, title: 'over $transport in $protocol works for client $release, wherever its requests go' },
    ],
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
      {
        file: forwarded,
        title: 'has the path that its client means where that sends a whole address, as to a proxy',
      },
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
      {
        file: sealed,
        title:
          'reads nothing of what the replicas tell each other: no call, no answer, no turn, no news, no large body',
      },
      { file: owners, title: 'keeps its name from the bus' },
    ],
  },
  {
    id: 'wire-10-46',
    tests: [
      { file: forwarded, title: 'ends there when its client leaves' },
      { file: forwarded, title: 'is held to the limit of the route where it is answered' },
      { file: forwarded, title: 'is one of 400 at a time' },
      { file: forwarded, title: 'takes no place where its client has left before' },
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
      {
        file: connections,
        title: 'whose line breaks is back for client %s with stateful reconnect, whatever replica it reaches',
      },
    ],
  },
  {
    id: 'wire-10-90',
    tests: [
      { file: forwarded, title: 'gets the headers alone where its client asks for them alone' },
      {
        file: programs,
        title: 'is opened and answered on any replica, by its user alone, and its action runs once',
      },
      {
        file: programs,
        title: 'takes a message on any replica, and goes on with an answer that its user gives on any',
      },
    ],
  },
  {
    id: 'wire-10-91',
    tests: [
      { file: programs, title: 'is the one of all calls that come at the same time, on whatever replicas' },
      { file: programs, title: 'is named on any replica, by its program alone, as often as it likes' },
      {
        file: calls,
        title:
          'belongs to the first replica that makes the call, for as long as the call goes on or the question is held',
      },
      {
        file: calls,
        title: 'is let go by a call that has asked nothing, but not while another one of the replica goes on',
      },
    ],
  },
  {
    id: 'wire-10-92',
    tests: [
      { file: named, title: 'is found in the parameters of %s' },
      { file: named, title: 'is looked for nowhere where %s names none' },
      { file: left, title: 'is that of the replica where its turn goes on, once the turn has left' },
      { file: programs, title: 'is read as it is and followed to its end on any replica, by its owner alone' },
      { file: programs, title: 'is stopped on any replica' },
      {
        file: programs,
        title: 'takes a message on any replica, and goes on with an answer that its user gives on any',
      },
    ],
  },
  {
    id: 'wire-10-93',
    tests: [
      {
        file: programs,
        title:
          'is 503 cluster_unavailable while Redis is away; a task is read as it was stored, and a call that names no question asks anew',
      },
      { file: calls, title: 'is put by each replica that is asked while the bus is away' },
      { file: unreached, title: 'asks anew while that replica cannot be reached, unless it names the question' },
    ],
  },
  {
    id: 'wire-10-94',
    tests: [{ file: programs, title: 'is withdrawn once that replica has died, and the program is told so' }],
  },
  {
    id: 'configuration-5-80',
    tests: [
      { file: recovery, title: 'is done every 5 s, step by step, and never twice at the same time' },
      { file: recovery, title: 'goes on after a step that fails, and logs that once until it works' },
      {
        file: recovery,
        title: 'ends as soon as the server is about to end, and the end waits for the step under way',
      },
      {
        file: killed,
        title: 'leaves nothing open for long: another one ends what it has left, and touches nothing else',
      },
      { file: recovery, title: 'is never done where one server at a time uses the storage' },
      { file: rows, title: 'are given up once when their replica has died, and left alone while it lives' },
    ],
  },
  {
    id: 'configuration-5-81',
    tests: [
      { file: rows, title: 'are given up once when their replica has died, and left alone while it lives' },
      { file: rows, title: 'stay with the turn where that is kept: whoever takes it up goes on with them' },
      { file: rows, title: 'that were running are told to every replica for a while' },
    ],
  },
  {
    id: 'configuration-5-82',
    tests: [
      {
        file: takenOver,
        title: 'tells what its row says when the replica was taken for dead meanwhile, and so does every replica once',
      },
      { file: rows, title: 'of a replica that was only silent are over for it too' },
    ],
  },
  {
    id: 'configuration-5-83',
    tests: [
      {
        file: takenOver,
        title: 'are not spent by each of them: the calls of all side by side take what there is',
      },
      { file: takenOver, title: 'that another replica holds are waited for' },
      { file: takenOver, title: 'count what was spent once the storage takes it again' },
      { file: rows, title: 'count once what a dead replica has held, and leave held what living ones hold' },
      { file: rows, title: 'take no settlement any more of a call that was counted already' },
    ],
  },
  {
    id: 'configuration-5-84',
    tests: [
      { file: rows, title: 'are taken over by one replica when theirs has died, and by none while it lives' },
      { file: takenOver, title: 'is looked through for facts once, by one replica' },
    ],
  },
  {
    id: 'configuration-5-85',
    tests: [
      {
        file: takenOver,
        title: 'is a task of another agent: it is left alone while its replica lives, and fails once that is dead',
      },
      { file: rows, title: 'are taken over by one replica when theirs has died, and changed by no other' },
      { file: rows, title: 'go to the replica that has taken up their turn, and to nobody before' },
    ],
  },
  {
    id: 'configuration-5-86',
    tests: [
      {
        file: takenOver,
        title: 'is told to webhooks: no delivery by two replicas at once, and that of a dead one again',
      },
    ],
  },
  {
    id: 'configuration-5-87',
    tests: [
      { file: rows, title: 'are stored by each replica for itself, and read together' },
      {
        file: takenOver,
        title: 'are the sum of what all replicas have stored, and of what this one has not stored yet',
      },
    ],
  },
];
