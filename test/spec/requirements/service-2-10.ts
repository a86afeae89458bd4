import type { Requirement } from '../requirement.ts';

const loadSettings = 'test/unit/config/load-settings.test.ts';
const memory = 'test/integration/memory.test.ts';
const requests = 'test/integration/memory-requests.test.ts';
const restart = 'test/integration/memory-restart.test.ts';
const demo = 'test/unit/adapters/models/demo/demo-memory.test.ts';
const capture = 'test/unit/core/memory/fact-capture.test.ts';
const extract = 'test/unit/core/memory/extract-facts.test.ts';
const recall = 'test/unit/core/memory/recall-facts.test.ts';
const plugin = 'test/integration/memory-plugin.test.ts';
const store = 'test/unit/adapters/stores/memory-store.test.ts';
const kept = {
  file: 'test/fault/kept-data.test.ts',
  title:
    'is whole: no turn, fact or document that was acknowledged is lost, and nothing comes back that was told to be erased',
};

const found =
  'is found in what a user says, and answered with in later conversations: identity, preferences, then the rest';
const ranking = 'test/unit/core/memory/fact-ranking.test.ts';
const chosen = 'is at most memoryContextCount facts, and with memoryRelevanceFiltering those that share words';

/** The statements of `docs/contract/memory.md`. */
export const memoryRequirements: readonly Requirement[] = [
  {
    id: 'service-2.10-28',
    tests: [
      {
        file: loadSettings,
        title: 'fills in every default of contract/memory.md, and of whose a memory is without sign-in',
      },
    ],
  },
  {
    id: 'service-2.10-01',
    tests: [
      { file: extract, title: 'makes room where a user has 200 facts: the oldest go, identity and preferences last' },
    ],
  },
  {
    id: 'service-2.10-02',
    tests: [
      { file: memory, title: 'is no business of %s' },
      { file: store, title: 'gives the facts of one user alone, the newest first' },
      {
        file: capture,
        title:
          'is tried three times while the model fails, a minute and more apart, never fails its turn, and waits for the next start',
      },
    ],
  },
  {
    id: 'service-2.10-03',
    tests: [
      { file: requests, title: 'of a connection without a name is told by the id of the connection' },
      {
        file: memory,
        title: 'has no place for a caller without a name over server-sent events, who never comes back',
      },
      { file: memory, title: 'is shared by all callers without a name with anonymousIdentity Shared' },
    ],
  },
  { id: 'service-2.10-04', tests: [{ file: memory, title: found }] },
  { id: 'service-2.10-05', tests: [{ file: memory, title: chosen }] },
  {
    id: 'service-2.10-06',
    tests: [
      { file: memory, title: chosen },
      { file: 'test/unit/core/memory/rank-facts.test.ts', title: 'are found for %j' },
      { file: recall, title: 'are the newest where nothing is filtered' },
    ],
  },
  {
    id: 'service-2.10-29',
    tests: [
      { file: memory, title: 'is found by what it means too, with embeddingGenerator' },
      { file: ranking, title: 'are those that mean something near, though they share no word' },
      { file: ranking, title: 'are those of both rankings, joined by their places' },
    ],
  },
  {
    id: 'service-2.10-30',
    tests: [
      { file: ranking, title: 'have their vectors made once, beside the turn after which they are remembered' },
      {
        file: ranking,
        title:
          'are those of its words alone while the model takes too long, which delays no message for more than half a second',
      },
      {
        file: ranking,
        title: 'are those of its words alone while the model fails, and the model is left alone for a while',
      },
    ],
  },
  {
    id: 'service-2.10-31',
    tests: [
      { file: memory, title: 'shares the vector of a message with the documents' },
      { file: 'test/unit/app/shared-questions.test.ts', title: 'is asked for once' },
    ],
  },
  {
    id: 'service-2.10-32',
    tests: [
      { file: ranking, title: 'have no vectors any more once their user has erased them' },
      { file: ranking, title: 'get no vectors that come after the erasure' },
      { file: restart, title: 'outlive a crash, so that the next process asks the model for none of them' },
      { file: store, title: 'has no vector of a fact any more that is %s' },
    ],
  },
  { id: 'service-2.10-07', tests: [{ file: restart, title: 'has the facts that it began with' }] },
  {
    id: 'service-2.10-08',
    tests: [
      { file: recall, title: 'are none, with a warning, while the memory fails' },
      { file: recall, title: 'are none, with a warning, once the memory has taken 2 s' },
    ],
  },
  {
    id: 'service-2.10-38',
    tests: [
      {
        file: memory,
        title: 'is found in the message of a turn that was stopped, and not in that of one that failed',
      },
    ],
  },
  {
    id: 'service-2.10-39',
    tests: [
      {
        file: memory,
        title: 'is neither looked for nor answered with where memoryAutoCapture or useMemoryContext is off',
      },
      { file: plugin, title: 'is answered with where memoryAutoCapture is off' },
      {
        file: 'test/integration/reload.test.ts',
        title: 'looks for facts in what is said once memoryAutoCapture is on, and in nothing from before',
      },
    ],
  },
  {
    id: 'service-2.10-09',
    tests: [
      { file: memory, title: 'is asked of classifierChatClient, with the user’s own words alone' },
      {
        file: memory,
        title: 'is not looked for in what is sent with a submitted card, since the card words its button',
      },
      { file: extract, title: 'is asked with the user’s words and the ten nearest facts, as data' },
    ],
  },
  {
    id: 'service-2.10-10',
    tests: [
      { file: extract, title: 'is what the model adds, replaces and deletes, with its source' },
      { file: extract, title: 'holds the same sentence once, and each fact is changed once' },
    ],
  },
  {
    id: 'service-2.10-11',
    tests: [
      { file: extract, title: 'is nothing for %s' },
      { file: extract, title: 'is no verdict for anything but a JSON object' },
    ],
  },
  {
    id: 'service-2.10-12',
    tests: [
      { file: memory, title: 'never delays the end of a turn, and never fails it' },
      { file: capture, title: 'does not fail a turn when the storage fails' },
      { file: capture, title: 'is not waited for longer than 2 s, whatever the storage does' },
    ],
  },
  {
    id: 'service-2.10-13',
    tests: [
      kept,
      {
        file: restart,
        title: 'loses nothing that was said: the next process looks for facts in it, and what is remembered stays',
      },
    ],
  },
  {
    id: 'service-2.10-14',
    tests: [
      {
        file: capture,
        title:
          'is tried three times while the model fails, a minute and more apart, never fails its turn, and waits for the next start',
      },
    ],
  },
  { id: 'service-2.10-15', tests: [{ file: demo, title: 'finds a fact in %s' }] },
  {
    id: 'service-2.10-16',
    tests: [
      { file: requests, title: 'is to see and to correct it' },
      { file: requests, title: 'is nothing where the memory is off: %s' },
    ],
  },
  {
    id: 'service-2.10-17',
    tests: [
      { file: requests, title: 'of a connection without a name is told by the id of the connection' },
      { file: requests, title: 'of a signed-in user’s connection is that user’s' },
    ],
  },
  {
    id: 'service-2.10-18',
    tests: [{ file: requests, title: 'is nobody’s where all share one: anonymousIdentity Shared' }],
  },
  {
    id: 'service-2.10-19',
    tests: [
      { file: requests, title: 'is to see and to correct it' },
      { file: requests, title: 'is no correction with %s' },
    ],
  },
  { id: 'service-2.10-20', tests: [{ file: requests, title: 'is to erase a fact, or everything' }] },
  {
    id: 'service-2.10-21',
    tests: [
      kept,
      { file: restart, title: 'brings back nothing that its user has erased, not from what nobody had looked at' },
      { file: store, title: 'takes nothing from what was said before the user has %s' },
      { file: capture, title: 'takes nothing from a message once its user has erased what is remembered' },
    ],
  },
  {
    id: 'service-2.10-22',
    tests: [
      kept,
      {
        file: restart,
        title: 'loses nothing that was said: the next process looks for facts in it, and what is remembered stays',
      },
    ],
  },
  {
    id: 'service-2.10-23',
    tests: [
      {
        file: store,
        title: 'erases a fact with what it took the place of, or all of a user, and tells how many counted',
      },
    ],
  },
  {
    id: 'service-2.10-24',
    tests: [
      { file: restart, title: 'deletes facts that are older, when the server starts' },
      {
        file: loadSettings,
        title:
          'keeps what is stored for as long as contract/operations.md#retention and contract/memory.md#storage say',
      },
    ],
  },
  {
    id: 'service-2.10-25',
    tests: [{ file: plugin, title: 'of the guide keeps what is remembered, for each user alone' }],
  },
  {
    id: 'service-2.10-26',
    tests: [
      { file: plugin, title: 'is left out where it throws, and its user is told' },
      { file: plugin, title: 'gives only what is a fact' },
      { file: 'test/unit/core/memory/kept-memory.test.ts', title: 'is a memory that fails after 3 s in %s' },
    ],
  },
  {
    id: 'service-2.10-27',
    tests: [
      { file: plugin, title: 'in two plugins keeps the server from starting' },
      { file: plugin, title: 'that %s keeps the server from starting' },
    ],
  },
];
