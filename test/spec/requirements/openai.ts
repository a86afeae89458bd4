import type { Requirement } from '../requirement.ts';

const api = 'test/integration/openai-api.test.ts';

const by = (id: string, ...titles: readonly string[]): Requirement => ({
  id,
  tests: titles.map((title) => ({ file: api, title })),
});

const refused = 'answer a message that is refused with the words of the refusal, and a fault with an error';

/** The statements of `docs/contract/openai.md`. */
export const openAiRequirements: readonly Requirement[] = [
  by('wire-6-140', 'is nobody by default', 'are signed-in users with the role, whose name the actions see'),
  by('wire-6-141', 'take what the user said before, and no word that a client puts into the mouth of others'),
  by('wire-6-142', 'take what the user said before, and no word that a client puts into the mouth of others'),
  by('wire-6-143', 'take pictures that come with the message', 'refuse %s and say why'),
  by('wire-6-144', 'are one reply, with its model, its reason and its tokens'),
  by('wire-6-145', 'refuse %s and say why', 'go on from no earlier one'),
  by('wire-6-146', 'run what only reads, show no card and lead to no page'),
  by('wire-6-147', 'refuse what asks, in words for the model, and nothing runs'),
  by('wire-6-148', 'run what only reads, show no card and lead to no page'),
  by(
    'wire-6-149',
    'are one reply, with its model, its reason and its tokens',
    'are a stream of pieces that ends with its tokens where they are asked for',
  ),
  by('wire-6-150', 'are one reply, of a text or of messages', 'are a stream that the client reads to its end'),
  by('wire-6-151', 'stop the turn when their client has gone'),
  {
    id: 'wire-6-152',
    tests: [
      {
        file: 'test/unit/channels/openai/reply-events.test.ts',
        title: 'goes on where it was made longer, and is told not to hold where it was taken back',
      },
    ],
  },
  by('wire-6-153', refused, 'is no website of another origin'),
  by('wire-6-154', refused),
  by(
    'configuration-5-40',
    'are signed-in users with the role, whose name the actions see',
    'is nobody where auth.jwt is missing but required',
  ),
  by('wire-1-140', 'is no website of another origin'),
  by('wire-6-155', 'counts messages as every channel does'),
];
