import { describe, expect, it } from 'vitest';
import { reportAgents } from '../../../../src/app/agents/agent-report.ts';
import { agentWarnings } from '../../../../src/app/agents/agent-warnings.ts';
import { type AgentSurroundings, loadAgents } from '../../../../src/app/agents/load-agents.ts';
import type { HelperSettings } from '../../../../src/config/settings.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { folderOf } from '../../../support/skill-folder.ts';
import { faultsOf } from '../../adapters/plugin-directory/plugin-workbench.ts';
import { loadText, minimal, settingsWith } from '../../config/load-from-text.ts';

const tools = ['get_weather', 'get_invoice', 'invoice_list'].map((name) => fakeTool({ name }));

/** What the agents of a test may name. */
function around(state: 'ok' | 'failed' = 'ok'): AgentSurroundings {
  return {
    plugins: [],
    providers: [{ readiness: () => [{ name: 'callback:erp', state }] }],
    toolbox: { tools },
    killSwitch: { stops: () => false, thrown: { tools: [], writes: false } },
    skills: { names: ({ enableSkills }) => Promise.resolve(enableSkills ? ['refunds'] : []) },
  };
}

function settingsOf(text: string, lines = ''): HelperSettings {
  const { path: directory } = folderOf({ 'a.agent.yaml': text });
  const settings = settingsWith(lines);
  return { ...settings, declarative: { ...settings.declarative, directory } };
}

const prompt = (name: string, more = ''): string => `kind: Prompt\nname: ${name}\ndescription: Does ${name}.\n${more}`;
const team = (name: string, more: string): string =>
  `kind: Team\nname: ${name}\ndescription: Does ${name}.\n${more.includes('mode:') ? '' : 'mode: sequential\n'}${more}`;
const all = (...documents: readonly string[]): string => documents.join('---\n');

/** The faults as `line path: message (suggestion)`. */
async function told(text: string, lines = ''): Promise<readonly string[]> {
  const faults = await faultsOf(loadAgents(settingsOf(text, lines), around()));
  return faults.map(({ line, path, message, suggestion }) =>
    [`${String(line)} ${path}: ${message}`, ...(suggestion === undefined ? [] : [`(${suggestion})`])].join(' '),
  );
}

/** Settings of a configuration of its own, with these definitions. */
function settingsFrom(configuration: string, text: string): HelperSettings {
  const { settings, faults } = loadText(configuration);
  if (settings === undefined) throw new Error(faults.map(({ message }) => message).join());
  const { path: directory } = folderOf({ 'a.agent.yaml': text });
  return { ...settings, declarative: { ...settings.declarative, directory } };
}

describe('the names of agents (contract/agents.md#definitions)', () => {
  // proves extending-4-12
  it('are unique in all sources, whatever their case, and coordinator is reserved', async () => {
    const lines = 'remoteAgents: [{ name: billing, description: d, agentCardUrl: "https://b.example" }]\n';
    expect(await told(all(prompt('Billing'), prompt('Coordinator')), lines)).toEqual([
      '2 name: the agent name "Billing" is used twice: in remoteAgents[0] of helper.yaml and in a.agent.yaml:1',
      '6 name: "Coordinator" is the name of the agent that answers users',
    ]);
  });

  // proves service-18-11
  it('are told apart by their places where one file has both', async () => {
    const entry = '{ name: Billing, description: d, agentCardUrl: "https://b.example" }';
    expect(await told(prompt('Other'), `remoteAgents: [${entry}, ${entry}]\n`)).toEqual([
      expect.stringContaining('is used twice: in remoteAgents[0] of helper.yaml and in remoteAgents[1] of helper.yaml'),
    ]);
  });

  // proves extending-4-13
  it('that a team uses must be there', async () => {
    const text = all(
      prompt('Sales'),
      prompt('Legal'),
      team('Quotes', 'members: [Sales, Legol]\n'),
      team('Talk', 'mode: groupChat\nmembers: [Sales]\noptions: { manager: Leader }\n'),
      team('Plan', 'mode: magentic\nmembers: [Sales]\noptions:\n  manager: Talk\n'),
      team(
        'Desk',
        'mode: handoff\nmembers: [Sales, Legal]\noptions:\n  start: Quotes\n  handoffs: [{ from: Sales, to: Legal }, { from: Legal, to: Desk }]\n',
      ),
    );
    expect(await told(text)).toEqual([
      '13 members[1]: "Legol" is no agent; there is Sales, Legal, Quotes, Talk, Plan, Desk (Legal)',
      '20 options.manager: "Leader" is no agent; there is Sales, Legal, Quotes, Talk, Plan, Desk',
      '28 options.manager: "Talk" is no specialist, and only a specialist can lead',
      '36 options.start: "Quotes" is no member of the team; members are Sales, Legal',
      '37 options.handoffs[1].to: "Desk" is no member of the team; members are Sales, Legal',
    ]);
  });

  // proves extending-4-13
  it('lead no team back to itself', async () => {
    const text = all(
      prompt('Sales'),
      team('A', 'members: [Sales, B]\n'),
      team('B', 'members: [C]\n'),
      team('C', 'members: [A]\n'),
      team('D', 'members: [Sales]\n'),
      team('E', 'members: [D, Sales]\n'),
    );
    const message = 'the team is a member of itself, by way of its members';
    expect(await told(text)).toEqual([`9 members: ${message}`, `15 members: ${message}`, `21 members: ${message}`]);
  });
});

describe('the address of a remote agent (contract/agents.md#definitions)', () => {
  it.each(['https://[', 'https://a.example:99999/x'])('is a fault when nobody can be asked at %s', async (address) => {
    expect(await told(`kind: RemoteAgent\nname: R\ndescription: d\nagentCardUrl: "${address}"\n`)).toEqual([
      '4 agentCardUrl: is no address; check its host and its port',
    ]);
  });
});

describe('what an agent names (contract/agents.md#definitions)', () => {
  const withTools = (names: string): string => prompt('Weather', `tools:\n${names}`);

  // proves extending-4-14
  it('is a tool of the server, also in the spelling of another host', async () => {
    const text = withTools(
      '  - { kind: function, name: GetWeather }\n  - { kind: function, name: route_to_specialist }\n',
    );
    const { definitions } = await loadAgents(settingsOf(`${text}helper: { actions: ["invoice_*"] }\n`), around());
    expect(definitions).toMatchObject([{ tools: ['get_weather', 'route_to_specialist', 'invoice_*'] }]);
  });

  // proves extending-4-14
  it('is a fault when the server has no such tool, and the nearest is named', async () => {
    const text = withTools('  - { kind: function, name: get_invoice }\n  - { kind: function, name: get_wether }\n');
    expect(await told(`${text}helper:\n  actions: [delete_all]\n`)).toEqual([
      '6 tools[1].name: "get_wether" is no action or tool: no plugin has it (get_weather)',
      '8 helper.actions[0]: "delete_all" is no action or tool: no plugin has it; write it as an action, in a plugin or a callback',
    ]);
  });

  // proves extending-4-14
  it('may come from a callback later: a missing tool is then a warning once the manifest is known', async () => {
    const secret = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz';
    const settings = settingsFrom(
      minimal.replace(
        'actions: none',
        `actions: { callbacks: [{ name: erp, url: "https://erp.example", secret: ${secret} }] }`,
      ),
      withTools('  - { kind: function, name: book_slot }\n'),
    );
    const agents = await loadAgents(settings, around());
    expect(agentWarnings(settings, agents, around('failed'))).toEqual([]);
    expect(agentWarnings(settings, agents, around())).toEqual([
      {
        code: 'HLP1152',
        message: 'agent "Weather" (a.agent.yaml) names "book_slot", which is no action or tool of the server.',
      },
    ]);
  });

  // proves extending-4-14
  it('as a glob may match nothing, with a warning', async () => {
    const settings = settingsOf(prompt('Weather', 'helper: { actions: ["ship_*", "get_*"] }\n'));
    const agents = await loadAgents(settings, around());
    expect(agentWarnings(settings, agents, around())).toMatchObject([{ code: 'HLP1152' }]);
  });

  // proves extending-4-15
  it('is a skill that is offered', async () => {
    const text = prompt('Refunds', 'helper:\n  skills: [refunds, refnds]\n');
    expect(await told(text)).toEqual([
      '5 helper.skills[0]: "refunds" is not offered: enableSkills is false',
      '5 helper.skills[1]: "refnds" is not offered: enableSkills is false',
    ]);
    const settings = { ...settingsOf(text), enableSkills: true };
    expect(await faultsOf(loadAgents(settings, around()))).toMatchObject([
      { path: 'helper.skills[1]', message: '"refnds" is no skill; there is refunds', suggestion: 'refunds' },
    ]);
  });
});

describe('the model of an agent (contract/agents.md#definitions)', () => {
  const models =
    'models: { demo: { provider: demo }, small: { provider: openai, model: gpt-small, apiKey: none, contextWindow: 1000 }, one: { provider: openai, model: twin, apiKey: none }, two: { provider: openai, model: twin, apiKey: none }, vectors: { provider: openai, kind: embeddings, model: v, apiKey: none }, own: { plugin: mine } }\n';
  const settingsFor = (text: string): HelperSettings =>
    settingsFrom(`appName: Desk\nchatClient: demo\n${models}actions: none\n`, text);

  // proves extending-4-16
  it('is chatClient, an entry by its name, or the only entry of that model', async () => {
    const text = all(
      prompt('A'),
      prompt('B', 'model: small\n'),
      prompt('C', 'model: { id: gpt-small, options: { seed: 1 } }\n'),
    );
    const { wanted } = await loadAgents(settingsFor(text), around());
    expect(Object.fromEntries(wanted)).toEqual({
      A: { entry: 'demo', options: {} },
      B: { entry: 'small', options: {} },
      C: { entry: 'small', options: { seed: 1 } },
    });
  });

  // proves extending-4-16
  it.each([
    ['model: gpt-smal\n', '"gpt-smal" is no entry of models that answers, nor the model of one'],
    ['model: twin\n', 'several entries of models have the model "twin"'],
    ['model: vectors\n', '"vectors" is no entry of models that answers'],
    ['model: { id: own, options: { topP: 1 } }\n', "a plugin's model takes no options of an agent, such as topP"],
    ['model: { id: small, options: { maxOutputTokens: 1000 } }\n', 'must be less than contextWindow of the model'],
  ])('is a fault with %s', async (line, says) => {
    const faults = await faultsOf(loadAgents(settingsFor(prompt('A', line)), around()));
    expect(faults).toMatchObject([{ line: 4, message: expect.stringContaining(says) as string }]);
  });
});

describe('the tools of the provider that an agent has (contract/agents.md#definitions)', () => {
  const models =
    'demo: { provider: demo }, main: { provider: openai, model: m, apiKey: none }, plain: { provider: openai, api: chat, model: p, apiKey: none }';
  const settingsFor = (text: string): HelperSettings => ({
    ...settingsFrom(`appName: Desk\nchatClient: demo\nmodels: { ${models} }\nactions: none\n`, text),
    hostedToolOptions: { WebSearch: { searchContextSize: 'low' } },
    hostedToolDomainScope: ['example.com'],
  });
  const search = (model: string, more = '- { kind: webSearch }'): string =>
    prompt('A', `model: ${model}\ntools:\n  ${more}\n`);

  // proves extending-4-25
  it('are offered to it alone, with the options of the configuration, and its model speaks the API that has them', async () => {
    const { definitions, wanted } = await loadAgents(
      settingsFor(all(search('main'), prompt('B', 'model: main\n'))),
      around(),
    );
    const [own, other] = definitions.map((definition) =>
      definition.kind === 'specialist' ? definition.hosted?.() : 0,
    );
    expect(own).toMatchObject({
      offer: {
        tools: [{ name: 'WebSearch', options: { searchContextSize: 'low' } }],
        allowedDomains: ['example.com'],
        servers: [],
      },
      linkDomains: ['example.com'],
    });
    expect(other).toBeUndefined();
    expect([wanted.get('A')?.api, wanted.get('B')?.api]).toEqual(['responses', undefined]);
  });

  // proves extending-4-25
  it('are stopped by the kill switch', async () => {
    const killSwitch = {
      stops: ({ name }: { readonly name: string }) => name === 'WebSearch',
      thrown: { tools: ['WebSearch'], writes: false },
    };
    const { definitions } = await loadAgents(settingsFor(search('main')), { ...around(), killSwitch });
    expect(definitions[0]?.kind === 'specialist' && definitions[0].hosted?.()).toBeUndefined();
  });

  // proves extending-4-25
  it.each([
    [search('demo'), 'models.demo runs no tools such as WebSearch; this takes a model of openai or azure'],
    [search('plain'), 'models.plain runs no tools such as WebSearch'],
    [search('main', '- { kind: fileSearch }'), 'fileSearch needs vectorStoreIds'],
  ])('are a fault with a model that has none, or a search without stores: %#', async (text, says) => {
    const faults = await faultsOf(loadAgents(settingsFor(text), around()));
    expect(faults).toMatchObject([{ path: 'tools', message: expect.stringContaining(says) as string }]);
  });
});

describe('what has no effect in a definition (contract/agents.md#definitions)', () => {
  // proves extending-4-06
  it('is named in one warning for each agent', async () => {
    const text = all(
      prompt('A', 'displayName: The A\nmodel: { provider: OpenAI, options: { seed: 1 } }\n'),
      team('B', 'members: [A]\noptions: { aggregator: last, maxRounds: 2 }\n'),
      'kind: Prompt\nname: C\n',
    );
    const settings = settingsOf(text);
    const agents = await loadAgents(settings, around());
    expect(agentWarnings(settings, agents, around())).toEqual([
      {
        code: 'HLP1150',
        message:
          'agent "A" (a.agent.yaml): without effect here: displayName, model.provider, model.options (the demo model has none).',
      },
      {
        code: 'HLP1150',
        message: 'agent "B" (a.agent.yaml): without effect here: options.aggregator (mode sequential).',
      },
      {
        code: 'HLP1151',
        message: 'agent "C" (a.agent.yaml) has no description, by which the coordinator would know what to hand over.',
      },
    ]);
  });

  // proves extending-4-64
  it('is a team whose members are too deep to be asked', async () => {
    const settings = settingsOf(
      all(
        prompt('Ann'),
        team('Outer', 'members: [Middle]\n'),
        team('Middle', 'members: [Ann, Inner]\n'),
        team('Inner', 'members: [Ann]\n'),
      ),
    );
    expect(agentWarnings(settings, await loadAgents(settings, around()), around())).toEqual([
      {
        code: 'HLP1154',
        message:
          'agent "Outer" (a.agent.yaml): by way of Middle, the members of Inner are never asked, because agents are at most 3 deep.',
      },
    ]);
  });

  // proves service-18-12
  it('is a directory whose files are empty', async () => {
    const { path: directory } = folderOf({ 'a.agent.yaml': '# nothing yet\n' });
    const given = settingsWith('');
    const settings = { ...given, declarative: { ...given.declarative, directory } };
    expect(agentWarnings(settings, await loadAgents(settings, around()), around())).toEqual([
      {
        code: 'HLP1153',
        message: `declarative.directory: what matches *.agent.yaml in ${directory} is empty, so no agent is defined.`,
      },
    ]);
  });

  // proves service-18-13
  it.each([
    ['http://far.example/agent', ['HLP1155']],
    ['https://far.example/agent', []],
    ['http://127.0.0.1:9/agent', []],
  ])('is a remote agent at %s whose headers others can read', async (agentCardUrl, codes) => {
    const entry = { name: 'Far', description: 'd', agentCardUrl, headers: { 'x-key': 'secret' } };
    const settings = settingsWith(`remoteAgents: [${JSON.stringify(entry)}]\n`);
    const warnings = agentWarnings(settings, await loadAgents(settings, around()), around());
    expect(warnings.map(({ code }) => code)).toEqual(codes);
    expect(JSON.stringify(warnings)).not.toContain('secret');
  });

  it('is a directory without definitions', async () => {
    const { path: directory } = folderOf({ 'a.yaml': '' });
    const given = settingsWith('');
    const settings = { ...given, declarative: { ...given.declarative, directory } };
    expect(agentWarnings(settings, await loadAgents(settings, around()), around())).toEqual([
      { code: 'HLP1153', message: `declarative.directory: no file in ${directory} matches *.agent.yaml.` },
    ]);
  });
});

describe('a team without options (contract/agents.md#definitions)', () => {
  const defaultsOf = async (members: readonly string[]) => {
    const text = all(...members.map((name) => prompt(name)), team('T', `members: [${members.join(', ')}]\n`));
    const { definitions } = await loadAgents(settingsOf(text), around());
    return definitions.at(-1);
  };

  // proves extending-4-04
  it('has these defaults', async () => {
    expect(await defaultsOf(['A', 'B'])).toMatchObject({
      options: {
        maxRounds: 12,
        maxTokens: undefined,
        chainOnlyAgentResponses: false,
        aggregator: 'concat',
        manager: 'roundRobin',
        start: 'A',
        handoffs: [],
        returnToPrevious: false,
        maxStalls: 3,
        maxResets: 2,
      },
    });
  });

  // proves extending-4-04
  it('asks each member of a large team', async () => {
    const members = Array.from({ length: 14 }, (_, index) => `M${String(index)}`);
    expect(await defaultsOf(members)).toMatchObject({ options: { maxRounds: 14 } });
  });
});

describe('the agents of helper check (contract/configuration.md#commands)', () => {
  // proves extending-4-19
  it('have their kind, tools, members, roles, model and version', async () => {
    const text = all(
      prompt('A', 'helper: { requiredRoles: [Finance], actions: ["invoice_*", get_weather] }\n'),
      team('T', 'mode: handoff\nmembers: [A]\n'),
      'kind: RemoteAgent\nname: R\ndescription: d\nagentCardUrl: https://r.example\n',
    );
    const version = expect.stringMatching(/^[0-9a-f]{12}$/) as string;
    const agents = await loadAgents(settingsOf(text), around());
    const common = { from: 'a.agent.yaml', version };
    expect(reportAgents(agents, { tools })).toEqual([
      {
        ...{ name: 'A', kind: 'specialist', mode: null, ...common },
        ...{ tools: ['get_weather', 'invoice_list'], members: [], roles: ['Finance'], model: 'demo' },
      },
      { name: 'T', kind: 'team', mode: 'handoff', ...common, tools: [], members: ['A'], roles: [], model: null },
      { name: 'R', kind: 'remote', mode: null, ...common, tools: [], members: [], roles: [], model: null },
    ]);
  });
});
