import type { Requirement } from '../requirement.ts';

const handing = 'test/unit/core/agents/handing-over.test.ts';
const told = 'test/unit/core/agents/told-activity.test.ts';
const teams = 'test/unit/core/agents/teams.test.ts';
const questions = 'test/unit/core/agents/confirmations-in-teams.test.ts';
const schedules = 'test/unit/core/agents/agent-schedules.test.ts';
const held = 'test/unit/core/agents/checked-replies.test.ts';
const remotes = 'test/unit/core/agents/remote-members.test.ts';
const again = 'test/unit/core/agents/shown-again.test.ts';
const served = 'test/integration/agents-at-work.test.ts';

const one = (id: string, file: string, ...titles: readonly string[]): Requirement => ({
  id,
  tests: titles.map((title) => ({ file, title })),
});

const answers =
  'lets the specialist answer the user, with its own instructions and only its own tools, and tells who speaks';
const bySide = 'lets several agents work side by side, and then shows what they said in the order of the calls';

/** The statements of `docs/contract/agents.md` about agents at work. */
export const agentsAtWorkRequirements: readonly Requirement[] = [
  one(
    'extending-4-60',
    handing,
    answers,
    'hides an agent from users without its role, and hands over to no such agent',
  ),
  {
    id: 'extending-4-61',
    tests: [
      { file: handing, title: answers },
      {
        file: 'test/unit/core/agents/influences-of-agents.test.ts',
        title: 'is not told to a remote agent: it gets the request, and what members of its team have said since',
      },
    ],
  },
  one('extending-4-62', handing, answers, 'gives each agent its own rounds of tools'),
  {
    id: 'extending-4-63',
    tests: [
      { file: handing, title: 'hides an agent from users without its role, and hands over to no such agent' },
      {
        file: 'test/unit/core/agents/roles-in-teams.test.ts',
        title: 'is not asked in mode %s, and no activity tells the user of it',
      },
    ],
  },
  {
    id: 'extending-4-64',
    tests: [
      { file: handing, title: 'hands over at most three times in a row' },
      {
        file: 'test/unit/app/agents/load-agents.test.ts',
        title: 'is a team whose members are too deep to be asked',
      },
    ],
  },
  one('extending-4-75', handing, 'lets the coordinator hand over ten times in a turn, and any other agent three times'),
  one('extending-4-65', handing, answers),
  one(
    'extending-4-66',
    handing,
    'goes on when a specialist fails, takes back its half reply, and says why only with includeWorkflowExceptionDetails',
  ),
  one(
    'extending-4-69',
    handing,
    'goes on when a specialist fails, takes back its half reply, and says why only with includeWorkflowExceptionDetails',
  ),
  one(
    'extending-4-67',
    handing,
    'tells the model after a Stop what an agent has done, and never that nothing was changed',
  ),
  one('extending-4-68', handing, answers),
  one('extending-4-70', handing, answers),
  {
    id: 'extending-4-71',
    tests: [
      { file: handing, title: answers },
      { file: told, title: 'ends as failed where the agent could not answer' },
      { file: told, title: 'has no end after a Stop: the end of the turn is the end of all' },
    ],
  },
  {
    id: 'extending-4-72',
    tests: [
      { file: handing, title: answers },
      { file: handing, title: bySide },
      { file: remotes, title: 'shows what each member of a team of mode %s says under its own name' },
    ],
  },
  one(
    'extending-4-73',
    held,
    'is checked as a whole, and then shown with its speakers and cards in their order',
    'shows what agents said side by side once, in the order in which they were asked',
    'shows nothing of any agent when the check finds it unsafe',
  ),
  {
    id: 'extending-4-74',
    tests: [
      { file: again, title: 'shows what the agents behind %s have said and done, with their names' },
      {
        file: again,
        title: 'shows the half that an agent had said when the turn was stopped, and never what was taken back',
      },
      { file: again, title: 'shows what was said before the question that waits' },
      { file: remotes, title: 'keeps the half that it has said, under its name' },
      { file: remotes, title: 'keeps nothing of an agent that was not heard' },
    ],
  },
  one(
    'extending-4-80',
    teams,
    'lets each member work on what the members before it have said, and shows the last reply',
    'gives a member only the reply before it with chainOnlyAgentResponses',
  ),
  one(
    'extending-4-81',
    teams,
    'shows what all members say, in their order, whoever ends first (concat)',
    'shows the reply of the last member (last)',
    'lets the model of the team write one answer from all replies (model)',
  ),
  one(
    'extending-4-82',
    teams,
    'lets members speak in turns, each reading what the others said, for maxRounds rounds',
    'lets a manager choose who speaks next, and end the talk',
    'goes by turns where the manager names nobody of the team',
  ),
  one(
    'extending-4-83',
    teams,
    'lets the first member answer, or give the conversation to another member who answers',
    'begins with start, and offers only the ways of handoffs, with their reasons',
    'goes on with the member who answered last where returnToPrevious is set',
    'does not go on with a member that could not answer',
    'begins with start where the user may not reach the member any more that answered last',
  ),
  one(
    'extending-4-84',
    teams,
    'plans, asks one member after the other with a task each, and writes the answer',
    'plans anew after maxStalls steps without progress, at most maxResets times, and then answers',
    'lets a member lead, and ends after maxRounds',
  ),
  one(
    'extending-4-85',
    teams,
    'ends after maxRounds members, and once maxTokens are used up',
    'joins the replies without a model once maxTokens are used up',
    'lets the member of the last round only answer',
    'lets nobody speak once maxTokens are used up',
    'asks no member once maxTokens are used up',
  ),
  {
    id: 'extending-4-86',
    tests: [
      { file: teams, title: 'goes on without a member who is not there any more' },
      { file: remotes, title: 'counts in their order in the team, whoever ends first' },
    ],
  },
  one(
    'extending-4-87',
    served,
    'plays each mode with the demo model',
    'hands over anew with each message of a conversation',
  ),
  one(
    'extending-4-90',
    handing,
    'asks the user for an action of a specialist, and names the specialist in the question',
  ),
  one('extending-4-91', handing, 'lets no rule answer for the user there'),
  one(
    'extending-4-92',
    questions,
    'names the agent, and runs the action once when it is approved',
    'runs nothing when it is declined, and the agent says so',
    'runs nothing when the turn is stopped',
    'runs nothing when nobody answers in time',
  ),
  {
    id: 'extending-4-93',
    tests: [
      {
        file: questions,
        title:
          'outlives its process with Native, where the next process goes on with the same agent; else its turn ends',
      },
      {
        file: schedules,
        title: 'no payment runs unapproved or twice, each question ends once, and the reply is the one without a crash',
      },
    ],
  },
  one(
    'extending-4-94',
    questions,
    'is asked again by a restored snapshot with Native; else nothing is asked and nothing runs',
  ),
];
