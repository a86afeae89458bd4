import type { Requirement } from '../requirement.ts';

const state = 'test/integration/confirmation-state.test.ts';
const durable = 'test/integration/durable-turns.test.ts';
const control = 'test/integration/control.test.ts';
const replaced = 'test/unit/widget/conversation/replaced-text.test.ts';
const texts = 'test/unit/core/language/texts.test.ts';
const turnEvents = 'test/unit/core/record/turn-events.test.ts';
const takeUp = 'test/unit/core/turn/take-up.test.ts';
const recordSealer = 'test/unit/adapters/snapshots/aes-record-sealer.test.ts';
const replacedReply = {
  file: durable,
  title: 'in the middle of its reply goes on: no gap, the half reply replaced, the whole one, one end (%s)',
};
const interrupted = {
  file: durable,
  title: 'is cancelled in the next process, and its turn told to be interrupted, once (durableTurns: %s)',
};

const detached = 'test/integration/detached-turns.test.ts';
const deliveries = 'test/unit/adapters/webhooks/webhook-deliveries.test.ts';
const turnStore = 'test/unit/adapters/stores/turn-store.test.ts';
const postgres = 'test/integration/postgres.test.ts';
const postgresStorage = 'test/unit/adapters/stores/postgres-storage.test.ts';

/** What a client is told after a restart, and while the storage fails. */
export const restartRequirements: readonly Requirement[] = [
  {
    id: 'wire-4-30',
    tests: [
      {
        file: detached,
        title: 'is answered at once, goes on without a reader, and is read live and after its end',
      },
      { file: detached, title: 'is not stopped when a reader leaves it, and is stopped by a Stop' },
      { file: detached, title: 'goes on in the next process after %s, and its question is answered there, once' },
    ],
  },
  {
    id: 'wire-4-31',
    tests: [
      {
        file: detached,
        title: 'is answered at once, goes on without a reader, and is read live and after its end',
      },
      { file: detached, title: 'is not stopped when a reader leaves it, and is stopped by a Stop' },
      { file: detached, title: 'goes on in the next process after %s, and its question is answered there, once' },
    ],
  },
  {
    id: 'wire-4-32',
    tests: [{ file: detached, title: 'is an answer in a stream where turns are not kept from their beginning' }],
  },
  {
    id: 'wire-4-33',
    tests: [{ file: detached, title: 'is told the end, signed, under the id of the turn, and once' }],
  },
  {
    id: 'wire-4-34',
    tests: [
      { file: detached, title: 'is told after a crash that came before it had taken it' },
      {
        file: detached,
        title: 'is told again until it takes it, and holds up neither the turn nor the end of the server',
      },
      { file: detached, title: 'is told no more once it says that it is gone, and is not followed elsewhere' },
    ],
  },
  {
    id: 'wire-4-35',
    tests: [
      {
        file: detached,
        title: 'is refused on a host that is not named, with a password, or where it is no address, and no turn begins',
      },
      { file: detached, title: 'needs https, but for this machine' },
      { file: detached, title: 'is an answer in a stream where turns are not kept from their beginning' },
    ],
  },
  {
    id: 'wire-4-36',
    tests: [{ file: detached, title: 'needs the turns to be kept, a key, and hosts as addresses spell them' }],
  },
  {
    id: 'wire-4-37',
    tests: [{ file: turnStore, title: 'forgets what is to be told of the turns of a user who is erased' }],
  },
  {
    id: 'wire-4-38',
    tests: [{ file: detached, title: 'is given up, and nothing of it is kept, where its host is not named any more' }],
  },
  {
    id: 'wire-4-82',
    tests: [
      {
        file: deliveries,
        title:
          'are left to the other replicas by one whose settings do not allow their address, or whose keys do not open them',
      },
      { file: deliveries, title: 'are given up in the end when no replica may tell their address' },
      { file: deliveries, title: 'are given up at once by a server that is the only one' },
    ],
  },
  {
    id: 'configuration-5-55',
    tests: [
      {
        file: postgres,
        title: 'keeps an open question in the database over a kill, also for a server with another folder',
      },
    ],
  },
  {
    id: 'configuration-5-56',
    tests: [
      {
        file: postgresStorage,
        title: 'takes one of many answers to a question, whichever server they come to',
      },
      {
        file: postgresStorage,
        title: 'approves one of two questions about a call, answered on two servers at the same moment',
      },
      { file: postgresStorage, title: 'lets one server go on with a record, and no server that was taken over from' },
      { file: postgresStorage, title: 'holds no more of a budget than there is, over all servers' },
    ],
  },
  {
    id: 'configuration-5-57',
    tests: [
      {
        file: postgresStorage,
        title: 'keeps nothing of a user whose data is erased on one server while another server stores it',
      },
    ],
  },
  {
    id: 'configuration-5-58',
    tests: [
      { file: postgresStorage, title: 'migrates once when servers start at the same moment' },
      { file: postgresStorage, title: 'refuses a database of a newer version' },
    ],
  },
  {
    id: 'configuration-5-59',
    tests: [
      { file: postgres, title: 'waits at its start for a database that starts too' },
      { file: postgres, title: 'does not start without its database, says why in one sentence, and shows no password' },
    ],
  },
  {
    id: 'configuration-5-60',
    tests: [
      {
        file: postgres,
        title: 'answers 503 for answers while the database is away, runs nothing, and serves on once it is back',
      },
      { file: postgresStorage, title: 'cannot be written while the server takes no changes' },
      {
        file: postgresStorage,
        title: 'answers within seconds when the network swallows everything, and is left in time',
      },
    ],
  },
  {
    id: 'configuration-5-63',
    tests: [
      { file: postgresStorage, title: "is another server's only once its own server has left it" },
      { file: postgresStorage, title: 'takes no change of a server that has lost it to another one' },
    ],
  },
  {
    id: 'configuration-5-97',
    tests: [
      {
        file: postgresStorage,
        title: 'takes no change of a replica that has lost it to a server alone, until that one is gone',
      },
      {
        file: postgresStorage,
        title: 'goes on with a replica whose connection is lost, where no server alone has taken it',
      },
    ],
  },
  { id: 'configuration-5-61', tests: [{ file: postgres, title: 'does not start without storage.url' }] },
  {
    id: 'configuration-5-62',
    tests: [{ file: postgresStorage, title: 'stores every text, whatever its characters are' }],
  },
  {
    id: 'configuration-7-69',
    tests: [
      {
        file: postgres,
        title: 'copies what a stopped server kept, so that a server on PostgreSQL goes on with it',
      },
    ],
  },
  {
    id: 'configuration-7-70',
    tests: [
      {
        file: postgres,
        title: 'copies nothing from a folder that a server uses, and nothing without the keys of the folder',
      },
    ],
  },
  {
    id: 'configuration-7-71',
    tests: [{ file: postgres, title: 'leaves backups to the tools of PostgreSQL, and says so' }],
  },
  {
    id: 'wire-2-71',
    tests: [
      replacedReply,
      {
        file: turnEvents,
        title: 'take a reply back that was not read to its end: its numbers are filled, its text is replaced',
      },
      { file: turnEvents, title: 'begin anew without a blank line where all of the text was taken back' },
      { file: replaced, title: 'that was cut off is taken back, and said anew; what other turns said stays' },
      { file: replaced, title: 'behind an action keeps what was said before it' },
      { file: replaced, title: 'in one piece is drawn anew where it is cut, and stays as it is where it is not' },
    ],
  },
  {
    id: 'wire-3-94',
    tests: [
      replacedReply,
      {
        file: durable,
        title: 'after its end is told by the next process, with Last-Event-ID and Resume, for server.resumeWindow',
      },
    ],
  },
  {
    id: 'wire-4-81',
    tests: [
      replacedReply,
      {
        file: durable,
        title: 'after its end is told by the next process, with Last-Event-ID and Resume, for server.resumeWindow',
      },
      { file: durable, title: 'after its end is unknown to the next process once server.resumeWindow is over' },
      { file: durable, title: 'before it asked anything is unknown to the next process: Last-Event-ID is 204' },
    ],
  },
  {
    id: 'wire-5-50',
    tests: [
      {
        file: state,
        title: 'tells that a question is open, that it was approved, and what its action came to once it has ended',
      },
      { file: state, title: 'tells of an action that failed' },
      { file: state, title: 'tells a decline, a Stop and an expiry apart' },
    ],
  },
  {
    id: 'wire-5-51',
    tests: [
      {
        file: state,
        title: 'one of a signed-in user is told to that user alone: anonymous 401, another user 403',
      },
      {
        file: state,
        title: 'one of an anonymous connection is told to anonymous callers who hold its id, and to no user',
      },
      { file: state, title: 'one raised over SSE is told to whoever holds its actionId' },
      { file: state, title: 'an unknown actionId is 404 for anyone' },
      { file: state, title: 'no query tells nothing' },
      { file: state, title: 'two ids tells nothing' },
      { file: state, title: 'a token that is not valid tells nothing' },
      { file: state, title: 'a website that is not listed tells nothing' },
    ],
  },
  {
    id: 'wire-5-52',
    tests: [
      {
        file: state,
        title: 'an approve that comes again is 404, and its problem document tells what became of the question',
      },
      { file: state, title: 'who may not know is not told by an approve that comes again' },
    ],
  },
  {
    id: 'wire-5-53',
    tests: [
      { file: state, title: 'an approval that cannot be stored is 503, runs nothing, and may be given again' },
      {
        file: state,
        title: 'a decline that cannot be stored is 503, closes the question at once, and holds when storage is back',
      },
      { file: state, title: 'is 503 storage_unavailable while the journal cannot be read' },
    ],
  },
  {
    id: 'wire-5-54',
    tests: [
      {
        file: control,
        title: 'answers storage_unavailable while the Stop cannot be stored, and stops the turn once it is',
      },
      { file: control, title: 'begins nothing new while the Stop cannot be stored, though what ran goes on' },
    ],
  },
  {
    id: 'wire-5-55',
    tests: [
      interrupted,
      {
        file: durable,
        title: 'beside an action that ran tells what it came to, before it says that the turn was interrupted',
      },
    ],
  },
  {
    id: 'wire-5-56',
    tests: [
      replacedReply,
      { file: durable, title: 'after its action has run asks the model for the rest, and runs nothing again (%s)' },
    ],
  },
  {
    id: 'wire-5-57',
    tests: [
      { file: recordSealer, title: 'opens with any of the keys, and is sealed with the first' },
      {
        file: takeUp,
        title:
          'that cannot be opened is given up with a line in the log, its question is closed, and the server starts',
      },
    ],
  },
  {
    id: 'wire-8-83',
    tests: [interrupted, { file: texts, title: 'is there in %s, with the same placeholders as in English' }],
  },
];
