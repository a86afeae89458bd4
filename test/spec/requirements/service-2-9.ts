import type { Requirement } from '../requirement.ts';

const snapshots = 'test/unit/core/sessions/snapshot/session-snapshots.test.ts';
const runTurn = 'test/unit/core/turn/run-turn.test.ts';
const loadSettings = 'test/unit/config/load-settings.test.ts';
const trimHistory = 'test/unit/core/turn/trim-history.test.ts';
const compact = 'test/unit/core/history/compact-history.test.ts';
const sent = 'test/unit/core/turn/sent-history.test.ts';
const reduce = 'test/unit/core/history/reduce-history.test.ts';
const reducers = 'test/integration/chat-reducer.test.ts';
const reduced = 'test/unit/core/turn/reduced-history.test.ts';
const summed = 'test/unit/core/turn/summed-history.test.ts';
const window = 'test/integration/models-window.test.ts';
const provider = 'test/integration/service-history.test.ts';
const rest = 'test/unit/adapters/models/langchain/service-history.test.ts';
const rules = 'test/unit/config/rules.test.ts';
const warnings = 'test/unit/config/warnings.test.ts';

/** The statements whose ids begin with `service-2.9`. */
export const serviceSection2Point9: readonly Requirement[] = [
  {
    id: 'service-2.9-01',
    tests: [
      { file: runTurn, title: 'keeps whole turns, newest last, up to maxSessionMessages' },
      { file: loadSettings, title: 'fills in every default of contract/assistant.md and contract/sessions.md#length' },
    ],
  },
  {
    id: 'service-2.9-02',
    tests: [{ file: trimHistory, title: 'removes whole turns, oldest first, down to the limit' }],
  },
  {
    id: 'service-2.9-03',
    tests: [{ file: trimHistory, title: 'a limit of %i trims nothing' }],
  },
  {
    id: 'service-2.9-04',
    tests: [
      { file: warnings, title: 'no trimming (contract/sessions.md#length)' },
      { file: warnings, title: 'less than nothing (contract/sessions.md#length)' },
    ],
  },
  {
    id: 'service-2.9-20',
    tests: [
      { file: snapshots, title: 'history kept the other way is refused, and the live conversation stays untouched' },
      { file: provider, title: 'goes on from a snapshot, which a server that keeps history itself refuses' },
    ],
  },
  {
    id: 'service-2.9-30',
    tests: [
      { file: sent, title: 'is sent whole up to the threshold, and without compaction' },
      { file: compact, title: 'changes nothing up to the threshold' },
      { file: loadSettings, title: 'fills in every default of contract/assistant.md and contract/sessions.md#length' },
    ],
  },
  {
    id: 'service-2.9-31',
    tests: [{ file: compact, title: 'makes the oldest results one line before any turn is left out' }],
  },
  {
    id: 'service-2.9-32',
    tests: [
      { file: compact, title: 'leaves out the turns before the last compactionMaxTurns before it touches those' },
      {
        file: compact,
        title: 'shortens the last compactionMaxTurns too when they alone are over the threshold',
      },
    ],
  },
  {
    id: 'service-2.9-33',
    tests: [
      {
        file: compact,
        title:
          'never parts a call from its result, keeps the last turn, and stays below the threshold where that is possible',
      },
    ],
  },
  {
    id: 'service-2.9-34',
    tests: [{ file: sent, title: 'is sent shortened without asking a model, while what is kept stays whole' }],
  },
  {
    id: 'service-2.9-35',
    tests: [
      { file: sent, title: 'is sent shortened without asking a model, while what is kept stays whole' },
      { file: sent, title: 'stays whole in a snapshot' },
    ],
  },
  {
    id: 'service-2.9-36',
    tests: [
      { file: sent, title: 'is the same in every round of a turn, although the estimate has learned meanwhile' },
      { file: sent, title: 'is cut after a restart as it was before it, whatever is configured then' },
    ],
  },
  {
    id: 'service-2.9-37',
    tests: [
      { file: warnings, title: 'a threshold that nothing goes by' },
      { file: warnings, title: 'turns that nothing keeps' },
    ],
  },
  {
    id: 'service-2.9-40',
    tests: [
      { file: reduced, title: 'decides what is kept and sent, in place of maxSessionMessages' },
      { file: reducers, title: 'of the guide keeps the first message and the last two turns' },
    ],
  },
  {
    id: 'service-2.9-41',
    tests: [
      { file: reduce, title: 'does not follow a reducer that takes too long' },
      { file: reduce, title: 'ends with a Stop, of which the reducer is told' },
      { file: reducers, title: 'is given frozen messages and a signal' },
    ],
  },
  {
    id: 'service-2.9-42',
    tests: [{ file: reduce, title: 'follows exactly the choices that a model can be sent' }],
  },
  {
    id: 'service-2.9-43',
    tests: [
      { file: reduce, title: 'does not follow a reducer that throws' },
      { file: reduced, title: 'that cannot be followed leaves it to maxSessionMessages' },
      { file: reducers, title: 'that makes a message up is not followed' },
    ],
  },
  {
    id: 'service-2.9-44',
    tests: [{ file: reduced, title: 'is asked once for a turn that goes on after a restart' }],
  },
  {
    id: 'service-2.9-45',
    tests: [{ file: reducers, title: 'in two plugins keeps the server from starting' }],
  },
  {
    id: 'service-2.9-46',
    tests: [{ file: reducers, title: 'beside maxSessionMessages is warned of' }],
  },
  {
    id: 'service-2.9-60',
    tests: [{ file: summed, title: 'is summed up, and the summary stands before the first message that is sent' }],
  },
  {
    id: 'service-2.9-61',
    tests: [
      { file: summed, title: 'is summed up once: later turns are sent the summary, and the next one takes it up' },
      { file: summed, title: 'stays summed up when maxSessionMessages takes its place away' },
    ],
  },
  {
    id: 'service-2.9-62',
    tests: [{ file: summed, title: 'is left out as a whole, down to the last compactionMaxTurns' }],
  },
  {
    id: 'service-2.9-63',
    tests: [{ file: summed, title: 'carries the origins of what it sums up' }],
  },
  {
    id: 'service-2.9-64',
    tests: [
      {
        file: summed,
        title: 'is left out without a summary where the model fails, which the log says, and the turn goes on',
      },
      { file: summed, title: 'ends with a Stop' },
    ],
  },
  {
    id: 'service-2.9-65',
    tests: [{ file: summed, title: 'leaves the conversation whole, and goes with it into a snapshot' }],
  },
  {
    id: 'service-2.9-68',
    tests: [
      {
        file: 'test/integration/conversations.test.ts',
        title: 'keeps its summary: whoever goes back to it needs no new one',
      },
      {
        file: 'test/unit/core/conversations/kept-turn.test.ts',
        title: 'stands before the message that it stood before',
      },
    ],
  },
  {
    id: 'service-2.9-66',
    tests: [{ file: window, title: 'are summed up by the small model of a whole server, and never by the demo model' }],
  },
  {
    id: 'service-2.9-67',
    tests: [
      {
        file: loadSettings,
        title:
          'fills in every default of contract/sessions.md#summaries, #history-of-the-provider and #kept-conversations',
      },
    ],
  },
  {
    id: 'service-2.9-59',
    tests: [
      {
        file: loadSettings,
        title:
          'fills in every default of contract/sessions.md#summaries, #history-of-the-provider and #kept-conversations',
      },
    ],
  },
  {
    id: 'service-2.9-50',
    tests: [
      { file: provider, title: 'sends each message without those before it' },
      { file: provider, title: 'sends the calls of a turn together with their results' },
    ],
  },
  {
    id: 'service-2.9-51',
    tests: [{ file: rest, title: 'has instructions that have changed' }],
  },
  {
    id: 'service-2.9-52',
    tests: [
      { file: provider, title: 'is neither compacted nor reduced' },
      { file: reducers, title: 'beside history that the provider keeps is warned of' },
      { file: warnings, title: 'compaction of what the provider keeps' },
    ],
  },
  {
    id: 'service-2.9-53',
    tests: [
      { file: provider, title: 'sends the whole conversation where the provider has lost it' },
      { file: provider, title: 'sends the whole conversation to a fallback that keeps none' },
    ],
  },
  {
    id: 'service-2.9-55',
    tests: [{ file: provider, title: 'sends the whole conversation where the provider has lost it' }],
  },
  {
    id: 'service-2.9-54',
    tests: [{ file: rules, title: 'history of a provider that keeps none is a fault' }],
  },
];
