import type { Requirement } from '../requirement.ts';

const deaths = 'test/fault/replica-deaths.test.ts';
const turns = 'test/integration/replica-turns.test.ts';
const lost = 'test/unit/core/turn/lost-turns.test.ts';
const handOver = 'test/unit/core/turn/hand-over.test.ts';
const moving = 'test/unit/core/turn/moving-turns.test.ts';
const leases = 'test/unit/adapters/stores/turn-leases.test.ts';
const takeUp = 'test/unit/core/turn/take-up.test.ts';
const confirmations = 'test/unit/core/calls/confirmations.test.ts';

/** Turns of several servers that serve as one. */
export const turnsOfReplicasRequirements: readonly Requirement[] = [
  {
    id: 'wire-10-60',
    tests: [
      { file: turns, title: 'are approved on any replica, once' },
      { file: turns, title: 'are read on any replica, live and after their end, from any event on' },
    ],
  },
  {
    id: 'wire-10-61',
    tests: [
      { file: turns, title: 'are approved on any replica, once' },
      { file: turns, title: 'are stopped on any replica' },
    ],
  },
  {
    id: 'wire-10-62',
    tests: [
      { file: turns, title: 'are read on any replica, live and after their end, from any event on' },
      { file: turns, title: 'go on with their conversation on the replica where the hub connection comes back' },
    ],
  },
  {
    id: 'wire-10-63',
    tests: [
      { file: turns, title: 'go on with their conversation on the replica where the hub connection comes back' },
      { file: turns, title: 'ask the page of the connection that reads them, on whatever replica it is' },
    ],
  },
  {
    id: 'wire-10-64',
    tests: [{ file: turns, title: 'belong to their user on every replica' }],
  },
  {
    id: 'wire-10-65',
    tests: [
      {
        file: turns,
        title: 'go on in another replica when theirs is killed, and their readers see nothing but a pause',
      },
      {
        file: deaths,
        title: 'run no action twice and none without its approval, lose no turn, and tell nothing that is not so',
      },
      {
        file: takeUp,
        title:
          'is taken up by a replica whose store failed twice: when the turn was found, and when free turns were looked for again',
      },
      {
        file: takeUp,
        title: 'is taken up by a replica that a client asked for it before, while the store did not answer',
      },
    ],
  },
  {
    id: 'wire-10-66',
    tests: [
      {
        file: turns,
        title: 'are handed over at once by a replica that ends, in the middle of a reply and of a question',
      },
      { file: turns, title: 'stay with a replica that ends where their client could not come back, and end there' },
      { file: handOver, title: 'is handed over at once with `hitlMode: Native`' },
    ],
  },
  {
    id: 'wire-10-98',
    tests: [
      { file: handOver, title: 'leave it 32 at a time, so that the readers of the others wait for nothing' },
      { file: moving, title: 'make room for as many others as were taken up' },
      { file: moving, title: 'hold the others up for a second at most' },
      {
        file: moving,
        title: 'are more at a time where there are many, and all that are left once the time for them is over',
      },
      { file: handOver, title: 'leave it in greater numbers where the grace would be over before' },
    ],
  },
  {
    id: 'wire-10-99',
    tests: [
      {
        file: 'test/unit/core/turn/take-up.test.ts',
        title:
          'is taken up by a replica before others that wait there, for whom asks for it (contract/replicas.md#turns)',
      },
      {
        file: 'test/unit/core/replicas/awaited-turns.test.ts',
        title: 'ends at once for each who waits for this turn, also when that was told before the wait began',
      },
      {
        file: 'test/unit/core/replicas/found-turns.test.ts',
        title: 'is taken up here as soon as it is told to be free',
      },
      {
        file: 'test/unit/core/replicas/readers-first.test.ts',
        title: 'are left to the replicas of their readers first, each for the same time',
      },
      {
        file: turns,
        title: 'are followed at once by their hub connections, also where others stay with the replica that ends',
      },
      {
        file: turns,
        title: 'that ask are followed at once by their hub connections, also without `server.durableTurns`',
      },
    ],
  },
  {
    id: 'wire-10-67',
    tests: [
      {
        file: turns,
        title: 'are lost to a replica that was frozen for longer than its lease: it does nothing of them any more',
      },
      { file: leases, title: 'let no replica make a call again whose turn another one has taken up' },
    ],
  },
  {
    id: 'wire-10-95',
    tests: [
      {
        file: turns,
        title:
          'stay with a replica that ends while they ask with `hitlMode: Blocking`: it takes the answer, and then hands them over',
      },
      {
        file: handOver,
        title: 'stays with `hitlMode: Blocking`, is answered there, and is handed over once its action has run',
      },
      {
        file: handOver,
        title: 'ends with `hitlMode: Blocking` once the grace is over, with its question cancelled',
      },
    ],
  },
  {
    id: 'wire-10-96',
    tests: [
      {
        file: turns,
        title:
          'that wait for their user are lost to a replica that was frozen, too: it ends their streams, and sends answers and readers on',
      },
      { file: lost, title: 'is let go of when its user answers here: the question is not asked again' },
      { file: lost, title: 'is let go of when its question expires here, and the store is asked once' },
      { file: lost, title: 'is let go of when free turns are looked for' },
      { file: lost, title: 'is let go of as soon as the replica is heard again that had been silent' },
      {
        file: lost,
        title: 'tells those who answer here what has come of the question elsewhere, once it is let go of',
      },
      { file: lost, title: 'is let go of though the store does not answer at first' },
      {
        file: leases,
        title: 'are known as lost to the replica that held them: one that another has claimed, and one that is gone',
      },
      {
        file: leases,
        title:
          'are looked at when a replica is heard again after it may have counted as dead, and not at each time that it is heard',
      },
    ],
  },
  {
    id: 'wire-10-53',
    tests: [
      { file: handOver, title: 'leave it as others take them up, by no clock, 32 at a time' },
      { file: handOver, title: 'are told to the others with whether somebody reads them' },
      {
        file: 'test/unit/core/replicas/readers-first.test.ts',
        title: 'are taken up at once where nobody reads them, and no others with them',
      },
      {
        file: 'test/unit/channels/a2a/running-task.test.ts',
        title: 'are read while a client waits for the next one, or for the end, and only then',
      },
    ],
  },
  {
    id: 'wire-10-52',
    tests: [
      {
        file: leases,
        title: 'let no replica end a call whose turn another one has taken up: that one tells what has come of it',
      },
      {
        file: leases,
        title:
          'let a replica end the calls of its own turns, of those that it has handed over, and of those that are not kept',
      },
      {
        file: confirmations,
        title:
          'keeps the outcome with which another process has ended a call, and tells the log alone what has come of it here',
      },
      {
        file: confirmations,
        title: 'says nothing of an end that is stored already, as one is whose store has not said so',
      },
    ],
  },
  {
    id: 'wire-10-97',
    tests: [
      {
        file: leases,
        title:
          'stay with a replica whose connection is swallowed by the network, because it says on another one that it lives',
      },
    ],
  },
  {
    id: 'wire-10-68',
    tests: [
      { file: turns, title: 'are stopped and forgotten when the data of their user is erased on another replica' },
    ],
  },
];
