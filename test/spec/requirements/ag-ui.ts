import type { Requirement } from '../requirement.ts';

const main = 'test/integration/agui.test.ts';
const confirmations = 'test/integration/agui-confirmations.test.ts';
const tools = 'test/integration/agui-tools.test.ts';
const restarts = 'test/integration/agui-restart.test.ts';
const threadsOf = 'test/integration/agui-threads.test.ts';
const threads = 'test/unit/channels/ag-ui/threads.test.ts';
const events = 'test/unit/channels/ag-ui/run-events.test.ts';
const streams = 'test/unit/channels/ag-ui/run-stream.test.ts';
const calls = 'test/unit/channels/ag-ui/client-calls.test.ts';

const by = (id: string, file: string, ...titles: readonly string[]): Requirement => ({
  id,
  tests: titles.map((title) => ({ file, title })),
});

const role = 'is a signed-in user with the role, by a token and no cookie';
const success = 'is text between a start and a success, with its tokens';
const interrupt = 'ends the run with an interrupt, and the approval goes on in the next run';
const hostile = 'refuses what it cannot read, and nothing begins';
const expired = 'is over when its time is, and the user goes on';

/** The statements of `docs/contract/ag-ui.md`. */
export const agUiRequirements: readonly Requirement[] = [
  by('wire-6-61', main, 'is nobody by default', success),
  {
    id: 'wire-6-62',
    tests: [
      { file: main, title: hostile },
      { file: threadsOf, title: 'is understood' },
      { file: threadsOf, title: 'gets 400 all the same where something is missing' },
    ],
  },
  by('wire-6-63', main, success, hostile, 'has no outcome that versions before 1.0 do not know'),
  by('wire-6-64', main, 'count only as far as the user has said them'),
  by('wire-6-65', main, 'may show pictures, in the form of each version', hostile),
  by('wire-6-66', main, 'give the model what the client shows its user, as data'),
  by(
    'wire-6-67',
    main,
    'goes on for its signed-in user, with what the assistant has really said',
    'of the same id is another one for another user',
  ),
  {
    id: 'wire-6-68',
    tests: [
      { file: threads, title: 'is forgotten after 30 minutes in which nobody went on with it' },
      { file: threads, title: 'is one of 20 of its user, and the least used goes first' },
      { file: threads, title: 'is one of 5,000 in all' },
      { file: main, title: 'is nothing to a caller without a name' },
      {
        file: main,
        title: 'that were never asked go to no model where messages are checked, and none that is too long',
      },
    ],
  },
  {
    id: 'wire-6-69',
    tests: [
      { file: main, title: 'refuses a second message while the first is being answered' },
      { file: threadsOf, title: 'goes on in its thread with another message, and nothing is done' },
    ],
  },
  {
    id: 'wire-6-70',
    tests: [
      { file: main, title: 'tells a call with its arguments and its end, and a card under its name on the hub' },
      { file: events, title: 'ends the text that is open, and is told once' },
      { file: events, title: 'of the server has another name than each tool of the client, which would run it' },
      { file: threadsOf, title: 'is told that another reader has taken it over, and not that it was interrupted' },
    ],
  },
  by('wire-6-71', main, 'tells a call with its arguments and its end, and a card under its name on the hub'),
  by('wire-6-72', events, 'goes on where it was made longer, and is told not to hold where it was taken back'),
  by(
    'wire-6-73',
    main,
    success,
    'is cancelled when its turn is stopped',
    'ends with the words and the code of a refusal',
    'says nothing of a reply that is withheld, and why',
  ),
  {
    id: 'wire-6-74',
    tests: [
      { file: main, title: 'stops its turn when its client leaves' },
      { file: streams, title: 'pauses the model, and is cut when it reads no more' },
    ],
  },
  by('wire-6-75', confirmations, interrupt, 'asks for all calls of a round at once'),
  {
    id: 'configuration-6-96',
    tests: [
      { file: confirmations, title: interrupt },
      { file: confirmations, title: 'runs with the arguments that its user has changed' },
      { file: confirmations, title: 'takes changed arguments that do not fit as no answer, and asks on' },
      { file: threadsOf, title: 'is left out, and the run says so' },
    ],
  },
  by('wire-6-85', threadsOf, 'is answered for its user, and the turn stays with its reader'),
  by(
    'wire-6-76',
    confirmations,
    'does not run when it is declined, or left without an answer',
    'ends when its user leaves it and says something else',
    expired,
  ),
  by(
    'wire-6-77',
    confirmations,
    'runs once, whoever sends the approval how often at the same time',
    'has one outcome, whatever is sent at the same time',
    'that are answered beside a faulty answer are taken, and the other is asked again',
    'of two turns are answered one by one',
  ),
  by(
    'wire-6-78',
    confirmations,
    "is nobody else's to answer",
    'are answered by anonymous callers who know their ids',
    'are known from unknown ids',
  ),
  by('wire-6-79', confirmations, expired),
  by(
    'wire-6-80',
    restarts,
    'is answered in the next process, once: %s',
    'that was put by a process which did not keep it is over, and the user goes on',
    'says so',
  ),
  by(
    'wire-6-81',
    tools,
    'that is not declared to read asks first, and is told to the client only after the approval',
    'never takes the name of an action of the server',
    'that no model can be given is told to the developer, and the others are offered',
    'is not run when the client offers it no more',
  ),
  by(
    'wire-6-82',
    tools,
    'that only reads is run by the client between two runs',
    'that has failed is told to the model',
  ),
  {
    id: 'wire-6-83',
    tests: [
      { file: tools, title: 'has its result from nobody but its own client, and only for a call that waits' },
      { file: calls, title: 'waits for 30 s, and then takes no answer' },
    ],
  },
  by('configuration-5-54', main, role, 'is nobody where auth.jwt is missing but required'),
  by('wire-1-97', main, 'is no website of another origin', 'sees the answer at a website that a policy names'),
  by('wire-6-84', main, 'is counted as on every channel'),
];
