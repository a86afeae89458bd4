import type { Requirement } from '../requirement.ts';

const read = 'test/unit/config/agents/read-agents.test.ts';
const variables = 'test/unit/config/agents/agent-variables.test.ts';
const load = 'test/unit/app/agents/load-agents.test.ts';
const models = 'test/unit/app/agents/agent-models.test.ts';
const plugins = 'test/unit/adapters/plugin-directory/read/plugin-agents.test.ts';
const servers = 'test/integration/agent-definitions.test.ts';
const own = 'test/integration/agents-mcp.test.ts';
const generated = 'test/unit/config/generated-files.test.ts';

const row = (id: string, file: string, ...titles: readonly string[]): Requirement => ({
  id: `extending-4-${id}`,
  tests: titles.map((title) => ({ file, title })),
});

/** Definitions of agents, and watching them. */
export const agentDefinitionRequirements: readonly Requirement[] = [
  row('01', read, 'are none by default', 'are those of the pattern, by name, with several documents each'),
  row('02', read, 'make a specialist of a prompt'),
  row('03', read, 'make a team and a remote agent'),
  row('04', load, 'has these defaults', 'asks each member of a large team'),
  {
    id: 'extending-4-05',
    tests: [
      { file: servers, title: 'lists the agents of files, of helper.yaml and of plugins' },
      { file: plugins, title: 'are definitions, with actions of their own' },
    ],
  },
  {
    id: 'extending-4-06',
    tests: [
      { file: read, title: 'of Microsoft Agent Framework load unchanged: %s' },
      { file: load, title: 'is named in one warning for each agent' },
    ],
  },
  row('07', read, 'of Microsoft Agent Framework load unchanged: %s'),
  row('08', read, 'refuse the tool %s, and say what to do', 'is told with its line: %s'),
  row(
    '09',
    read,
    'make a team and a remote agent',
    'names the nearest name of a variable, and shows no value',
    'reads the value of an expression as the type of its member',
    'is told with its line: %s',
  ),
  row(
    '10',
    variables,
    'exposes the values of a top-level map of the operator',
    'exposes nothing when it is null, and an empty section exposes nothing',
    'is a fault when it names %s',
  ),
  {
    id: 'extending-4-11',
    tests: [
      { file: read, title: 'is told with its line: %s' },
      { file: read, title: 'in a text of helper.yaml names the entry and the line of the text' },
      { file: servers, title: 'tells every fault with its file and line' },
      { file: servers, title: 'does not start' },
    ],
  },
  row('12', load, 'are unique in all sources, whatever their case, and coordinator is reserved'),
  row('13', load, 'that a team uses must be there', 'lead no team back to itself'),
  row(
    '14',
    load,
    'is a tool of the server, also in the spelling of another host',
    'is a fault when the server has no such tool, and the nearest is named',
    'may come from a callback later: a missing tool is then a warning once the manifest is known',
    'as a glob may match nothing, with a warning',
  ),
  row('15', load, 'is a skill that is offered'),
  {
    id: 'extending-4-16',
    tests: [
      { file: load, title: 'is chatClient, an entry by its name, or the only entry of that model' },
      { file: load, title: 'is a fault with %s' },
      { file: models, title: 'are those that answer users where nothing else is asked for' },
      { file: models, title: 'are opened once for the same entry and options, whatever their order' },
      { file: models, title: 'send their options in place of those of the entry' },
    ],
  },
  row(
    '17',
    plugins,
    'is taken in the whole server: by another plugin',
    'is taken in the whole server: by a callback, and nobody else is offered the action',
  ),
  row(
    '18',
    read,
    'is the same for the same content, whatever its order and comments',
    'changes with the content, and not with a secret',
  ),
  {
    id: 'extending-4-19',
    tests: [
      { file: servers, title: 'lists the agents of files, of helper.yaml and of plugins' },
      { file: load, title: 'have their kind, tools, members, roles, model and version' },
    ],
  },
  row(
    '26',
    own,
    'give their tools to that agent alone, whose writes ask, and run once when approved',
    'that lack or misspell %s are a fault',
    'are there for a turn that a killed process has left with an open question',
    'keep their names in every process, whichever server with the same tools answers first',
  ),
  row(
    '27',
    own,
    'ask for reads too where the mode is %s',
    'offer what is allowed, ask for writes with never, and are read as Microsoft Agent Framework writes them',
  ),
  row('28', own, 'are named with their agent to those who may reach it'),
  row(
    '29',
    own,
    'offer what is allowed, ask for writes with never, and are read as Microsoft Agent Framework writes them',
  ),
  row('30', own, 'go and come with the definitions, while a turn that runs keeps the tools that it began with'),
  {
    id: 'extending-4-25',
    tests: [
      {
        file: load,
        title:
          'are offered to it alone, with the options of the configuration, and its model speaks the API that has them',
      },
      { file: load, title: 'are stopped by the kill switch' },
      { file: load, title: 'are a fault with a model that has none, or a search without stores: %#' },
      { file: servers, title: 'has them sent with its own calls alone' },
    ],
  },
  row('20', generated, 'agent.schema.json accepts what the server accepts: %s', 'agent.schema.json refuses %s'),
  row(
    '21',
    servers,
    'are read again while the server runs; a faulty edit keeps the last good ones and is told once',
    'answer new turns, and a turn that runs keeps those that it began with',
  ),
  row('22', servers, 'are read again while the server runs; a faulty edit keeps the last good ones and is told once'),
  row(
    '23',
    servers,
    'wait for a reload without declarative.watch',
    'of helper.yaml are taken by a reload, the values of expressions too',
  ),
  row('24', servers, 'with a fault do not keep a changed secret from being taken'),
];
