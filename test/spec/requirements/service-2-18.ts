import type { Requirement } from '../requirement.ts';

const agent = 'test/unit/adapters/a2a-client/a2a-agent.test.ts';
const misbehaving = 'test/unit/adapters/a2a-client/misbehaving-agents.test.ts';
const text = 'test/unit/adapters/a2a-client/reply-text.test.ts';
const limits = 'test/unit/adapters/a2a-client/remote-limits.test.ts';
const server = 'test/integration/remote-agents.test.ts';

const by = (id: string, file: string, ...titles: readonly string[]): Requirement => ({
  id,
  tests: titles.map((title) => ({ file, title })),
});

/** The statements of `docs/contract/agents.md#remote-agents`. */
export const remoteAgentRequirements: readonly Requirement[] = [
  by('service-2.18-01', agent, 'of the address "%s" is at %s'),
  by('service-2.18-02', agent, 'answers with a message', 'answers with a task, and each text is told once'),
  by(
    'service-2.18-03',
    agent,
    'go with the card and with every request, and the trace context goes with each request',
    'are made of the user info of the address, which is sent to nobody else',
  ),
  by('service-2.18-04', agent, 'go nowhere else: an interface of another origin is not spoken with'),
  by('service-2.18-05', misbehaving, 'ends within its limits: $title'),
  by('service-2.18-06', agent, 'go with the card and with every request, and the trace context goes with each request'),
  {
    id: 'service-2.18-07',
    tests: [
      {
        file: agent,
        title:
          'is fetched in the background once the agent is opened, and asked for again when it is not fresh any more',
      },
      { file: limits, title: 'keep a card with Cache-Control "%s" for %s seconds' },
      { file: server, title: 'are connected in the background: nobody waits for an agent that does not answer' },
    ],
  },
  by(
    'service-2.18-08',
    text,
    'tells a message once that comes twice, or that repeats the last artifact',
    'has data as JSON, and files by their name or address',
  ),
  by(
    'service-2.18-09',
    agent,
    'asks back, and goes on in the same task without saying anything again',
    'begins a new task in the same conversation where the task that asked is over',
  ),
  by(
    'service-2.18-31',
    'test/unit/core/agents/remote-members.test.ts',
    'has the coordinator told that it waits for the user, and gets the answer in the same task',
    'loses nothing over a snapshot',
    'is answered by way of its team of mode %s',
    'that the user has not read in its team is asked by the coordinator',
    'gets the answer itself in a team of mode handoff, although another member begins',
  ),
  by('service-2.18-10', agent, 'ends in the state %s without a reply, and its words are in no fault'),
  by('service-2.18-11', agent, 'has its task cancelled by a Stop, which waits for nothing'),
  {
    id: 'service-2.18-12',
    tests: [
      { file: misbehaving, title: 'ends within its limits: $title' },
      { file: limits, title: 'are those of the contract' },
    ],
  },
  {
    id: 'service-2.18-13',
    tests: [
      { file: misbehaving, title: 'ends within its limits: $title' },
      { file: limits, title: 'are those of the contract' },
      { file: text, title: 'is cut where it is too long, and no pair of surrogates is cut' },
    ],
  },
  by('service-2.18-14', misbehaving, 'ends within its limits: $title'),
  by('service-2.18-15', agent, 'is asked about its task where a stream of it breaks off'),
  {
    id: 'service-2.18-16',
    tests: [
      { file: agent, title: 'is asked again only after a pause, and answers at once until then' },
      { file: limits, title: 'double the pause after each failure in a row, up to a minute' },
    ],
  },
  by('service-2.18-17', agent, 'is not one that refuses a single message: %s'),
  by(
    'service-2.18-18',
    server,
    'keep an agent whose address and headers are as they were',
    'let a turn ask the agent that it began with, also when it is no longer defined',
  ),
  by(
    'service-2.18-20',
    server,
    'tells each connection how the agents are doing, and then each change',
    'is not sent where there are no remote agents',
  ),
  by(
    'service-2.18-21',
    server,
    'has addresses without user info and query',
    'names an agent with roles only to those who have one of them',
  ),
];
