import type { Requirement } from '../requirement.ts';

const api = 'test/integration/openai-api.test.ts';
const restart = 'test/integration/openai-restart.test.ts';
const events = 'test/unit/channels/openai/reply-events.test.ts';
const warnings = 'test/unit/config/warnings.test.ts';

const by = (id: string, ...titles: readonly string[]): Requirement => ({
  id,
  tests: titles.map((title) => ({ file: api, title })),
});

const refused = 'answer a message that is refused with the words of the refusal, and a fault with an error';

/** The statements of `docs/contract/openai.md`. */
export const openAiRequirements: readonly Requirement[] = [
  by('service-4.7-40', 'is nobody by default', 'are signed-in users with the role, whose name the actions see'),
  by(
    'service-4.7-41',
    'take what the user said before, and no word that a client puts into the mouth of others',
    'take nothing as said before that was never asked where messages are checked',
  ),
  by('service-4.7-42', 'take what the user said before, and no word that a client puts into the mouth of others'),
  by('service-4.7-43', 'take pictures that come with the message', 'refuse %s and say why'),
  by('service-4.7-44', 'are one reply, with its model, its reason and its tokens'),
  by('service-4.7-45', 'refuse %s and say why', 'go on from no earlier one'),
  by('service-4.7-46', 'run what only reads, show no card and lead to no page'),
  by('service-4.7-47', 'refuse what asks, in words for the model, and nothing runs'),
  by('service-4.7-48', 'run what only reads, show no card and lead to no page'),
  by(
    'service-4.7-49',
    'are one reply, with its model, its reason and its tokens',
    'are a stream of pieces that ends with its tokens where they are asked for',
  ),
  by('service-4.7-50', 'are one reply, of a text or of messages', 'are a stream that the client reads to its end'),
  by('service-4.7-51', 'stop the turn when their client has gone'),
  {
    id: 'service-4.7-52',
    tests: [
      {
        file: events,
        title: 'goes on where it was made longer, and is told not to hold where it was taken back',
      },
    ],
  },
  by('service-4.7-53', refused, 'is no website of another origin'),
  by('service-4.7-54', refused),
  {
    id: 'service-4.7-56',
    tests: [
      { file: restart, title: 'ends with an error, and its turn with it: %s' },
      { file: restart, title: 'is told to its end where it ends within the grace' },
      { file: restart, title: 'is gone after a crash, and no other process goes on with its turn' },
      { file: restart, title: 'ends with an error when the server stops' },
      {
        file: 'test/integration/replica-turns.test.ts',
        title: 'stay with a replica that ends where their client could not come back, and end there',
      },
    ],
  },
  {
    id: 'service-4.7-57',
    tests: [
      {
        file: restart,
        title: 'is not made by the next process after a crash, which only tells how its turn has ended',
      },
    ],
  },
  {
    id: 'service-4.7-58',
    tests: [
      { file: restart, title: 'ends with an error: %s' },
      { file: events, title: '%s, and says so' },
    ],
  },
  {
    id: 'configuration-1-46',
    tests: [
      { file: warnings, title: 'clients of OpenAI that may be anybody (contract/openai.md#who-may-ask)' },
      { file: warnings, title: 'front ends that may be anybody (contract/ag-ui.md#who-may-ask)' },
    ],
  },
  by(
    'configuration-5-40',
    'are signed-in users with the role, whose name the actions see',
    'is nobody where auth.jwt is missing but required',
  ),
  by('wire-1-95', 'is no website of another origin'),
  by('service-4.7-55', 'counts messages as every channel does'),
];
