import type { Requirement } from '../requirement.ts';

const server = 'test/integration/answering-agent.test.ts';
const guide = 'test/integration/remote-agents-guide.test.ts';
const remote = 'test/unit/adapters/models/agents/remote-chat-model.test.ts';
const plugin = 'test/unit/adapters/models/agents/plugin-chat-model.test.ts';

const by = (id: string, file: string, ...titles: readonly string[]): Requirement => ({
  id,
  tests: titles.map((title) => ({ file, title })),
});

/** The statements of `docs/contract/agents.md#an-agent-that-answers`. */
export const answeringAgentRequirements: readonly Requirement[] = [
  by(
    'configuration-6-80',
    server,
    'is faulty with %s',
    'is faulty with an agent that no plugin has, and says which there are',
  ),
  by(
    'configuration-6-81',
    server,
    'warns once of %s, and turns it off',
    'warns of what plugins offer beside an agent of theirs',
  ),
  by('configuration-6-82', server, 'warns once of %s, and turns it off'),
  by('configuration-6-83', server, 'gets a message only once the message has passed its check'),
  by(
    'configuration-6-84',
    server,
    'answers over SSE and over the hub, and keeps the conversation of a connection',
    'is told of a Stop, and the turn ends at once',
    'that is away fails the turn',
    'that %s fails the turn, and what it said stays',
  ),
  by('configuration-6-85', server, 'is taken by a reload, from a model to an agent and back'),
  by('configuration-6-86', server, 'names the agent in helper check, for people and for programs'),
  by('configuration-6-87', server, 'counts in budgets, by what it says or a guess, and warns of the guess'),
  by(
    'configuration-6-88',
    server,
    'is sent the newest message alone, with its headers, and its reply is shown',
    'is cancelled by a Stop in the middle of a stream',
  ),
  {
    id: 'configuration-6-89',
    tests: [
      { file: remote, title: 'sends the newest message with its images, and neither instructions nor tools' },
      { file: server, title: 'warns of what plugins offer that an agent on another server is not given' },
    ],
  },
  by(
    'configuration-6-90',
    server,
    'goes on in the same conversation, and in a task that waits, also after a restart of the process',
  ),
  by('configuration-6-91', server, 'is untrusted text for whoever answers next'),
  by('configuration-6-92', guide, 'has an agent of a plugin that answers by rules, and looks orders up'),
  by('configuration-6-93', server, 'calls actions through the same door: the user is asked first, and then it goes on'),
  by('configuration-6-94', plugin, 'ends within its limits: %s', 'fails where a piece is none: %s'),
];
