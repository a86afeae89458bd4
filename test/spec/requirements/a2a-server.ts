import type { Requirement } from '../requirement.ts';

const files = {
  tasks: 'test/integration/a2a-server.test.ts',
  card: 'test/integration/a2a-card.test.ts',
  requests: 'test/integration/a2a-requests.test.ts',
  restart: 'test/integration/a2a-restart.test.ts',
  warnings: 'test/unit/config/warnings.test.ts',
  confirmation: 'test/integration/a2a-confirmation.test.ts',
  legacy: 'test/integration/a2a-legacy.test.ts',
  kept: 'test/unit/core/tasks/kept-tasks.test.ts',
} as const;

const by = (id: string, file: keyof typeof files, ...titles: readonly string[]): Requirement => ({
  id,
  tests: titles.map((title) => ({ file: files[file], title })),
});

/** The statements of `docs/contract/a2a-server.md`. */
export const a2aServerRequirements: readonly Requirement[] = [
  by('service-4.8-01', 'tasks', 'is nobody by default', 'is answered with the complete reply of a turn'),
  by('service-4.8-02', 'tasks', 'refuses settings of the endpoint without an A2A server'),
  by('configuration-4-40', 'tasks', 'is served alone where there is no chat'),
  by(
    'configuration-5-52',
    'legacy',
    'are answered, and have a stream, a task and a stop',
    'are told that they are not served',
  ),
  by('configuration-5-53', 'legacy', 'have a card of their own, and others have theirs'),
  by(
    'configuration-5-51',
    'card',
    'is signed, by a key that everybody can read',
    'is not signed by %s',
    'is not signed where no address of the server is known',
  ),
  by(
    'configuration-1-45',
    'warnings',
    'a comparison of replies that nobody gets',
    'an A2A server that asks nobody',
    'an A2A server that is open to anybody',
  ),
  by('service-4.8-03', 'card', 'lists what needs neither a role nor an answer of a user'),
  by('service-4.8-04', 'card', 'says what agentCard says, and who provides the assistant at which address'),
  by(
    'service-4.8-05',
    'card',
    'names the address by which its client has reached the server',
    'is also below server.basePath, where a proxy may lead to nothing else',
  ),
  by('service-4.8-06', 'card', 'says that callers may sign in, and that they must where it is so'),
  by('service-4.8-07', 'card', 'is kept by clients, which ask whether it is still the same'),
  by('service-4.8-08', 'requests', '%s is told which one is served'),
  by('service-4.8-09', 'requests', '%s is answered with its fault, and nothing begins'),
  by('service-4.8-10', 'requests', '%s is answered with its fault, and nothing begins'),
  by('service-4.8-11', 'tasks', 'takes pictures where they are on, and asks for no address'),
  by('service-4.8-12', 'requests', 'is neither kept nor sent back', 'is kept in part where it is long'),
  by('service-4.8-13', 'tasks', 'is a conversation of its own, whatever context its client names', 'takes one message'),
  by('service-4.8-33', 'confirmation', 'refuses a message that names another context than its task has'),
  by(
    'service-4.8-14',
    'tasks',
    'is answered with the complete reply of a turn',
    'runs on when its client asks for no more than its beginning',
  ),
  by('service-4.8-15', 'tasks', 'that is refused says why in words for the user', 'is stopped by its client, once'),
  by(
    'service-4.8-16',
    'tasks',
    'run where they only read, and know that another agent asks',
    'go on in the trace of the agent that asks',
  ),
  by(
    'service-4.8-17',
    'tasks',
    'are refused where they ask, and nothing runs',
    'are refused where they ask although a rule approves everything',
  ),
  by('service-4.8-18', 'tasks', 'that need a role run for its holder alone'),
  by('service-4.8-19', 'tasks', 'are never handed on to a remote agent, and neither to a team that has one'),
  by(
    'service-4.8-20',
    'tasks',
    'runs on when its client has gone, and is read later',
    'is stopped by its client, once',
  ),
  by(
    'service-4.8-21',
    'restart',
    'are still told when they were over, and are failed when they ran',
    'go on where turns do, and end as they would have: %s',
  ),
  by(
    'configuration-2-85',
    'tasks',
    'is shown when nothing in it lacks support',
    'is replaced by a refusal when something does, and no word of it is told before',
    'stands when the verdict is %s',
  ),
  by(
    'service-4.8-28',
    'confirmation',
    'waits for its user, whose page shows it, and goes on with the approval',
    'is refused where the caller has no name',
  ),
  by('configuration-6-95', 'confirmation', 'needs %s, or the server does not start'),
  by('service-4.8-29', 'confirmation', 'is nobody’s to answer but the user’s, in a browser'),
  by('service-4.8-34', 'confirmation', 'names on its page the texts of others that the model had read before'),
  by(
    'service-4.8-30',
    'confirmation',
    'ends a stream that waits, and the task goes on without one',
    'is answered by a message that waits for the user',
  ),
  by(
    'service-4.8-31',
    'confirmation',
    'does not run when its user declines, or when the task is stopped',
    'does not run when nobody answers in time',
    'runs once, however many answers come at the same time',
  ),
  by(
    'service-4.8-32',
    'restart',
    'goes on waiting where questions are kept, and its action runs once',
    'is failed where they are not, and nothing runs',
  ),
  by('service-4.8-22', 'tasks', 'is told to its user alone, and nobody else learns that it exists'),
  by('service-4.8-23', 'tasks', 'of a caller without a name is found by its id, and never listed'),
  by(
    'service-4.8-24',
    'kept',
    'are there for 24 h after they last changed',
    'are 1,000 of a user, and are listed by pages',
    'are 10,000 of all callers without a name together',
  ),
  {
    id: 'service-4.8-25',
    tests: [
      { file: files.kept, title: 'are sealed in the store, each for itself' },
      { file: files.tasks, title: 'goes when its user is erased' },
    ],
  },
  {
    id: 'service-4.8-26',
    tests: [
      { file: files.requests, title: 'has pieces while the reply is made, and the state at its end' },
      { file: 'test/unit/channels/a2a/running-task.test.ts', title: 'are told anew where the reply was replaced' },
    ],
  },
  {
    id: 'service-4.8-27',
    tests: [
      {
        file: 'test/unit/channels/a2a/running-task.test.ts',
        title: 'are told at once to a reader that comes for the next one late',
      },
    ],
  },
  by(
    'configuration-5-50',
    'tasks',
    'are users with the role, where a role is needed: for the card as well',
    'is nobody where auth.jwt is missing but required, which is a fault',
    'is no website of another origin, and no cookie signs anybody in',
  ),
  by('wire-1-96', 'tasks', 'is no website of another origin, and no cookie signs anybody in'),
  by(
    'service-8-30',
    'tasks',
    'counts messages of users, and not those of callers without a name',
    'sends as many requests as endpoints.a2a.rateLimit says',
    'has as many turns running as callers may have',
  ),
];
