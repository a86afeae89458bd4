import { describe, expect, it } from 'vitest';
import { LiveToolbox } from '../../../../../src/app/live-toolbox.ts';
import { pluginProvider } from '../../../../../src/app/providers/plugin-provider.ts';
import { StartupFaults } from '../../../../../src/core/errors/startup-fault.ts';
import { fakeTool } from '../../../../support/fake-tool.ts';
import { recordingLogger } from '../../../../support/quiet.ts';
import { PluginWorkbench } from '../plugin-workbench.ts';

const action = "{ name: 'look_up', description: 'Looks up.', parameters: { type: 'object' }, execute() {} }";

/** A plugin with one specialist and one team, whose members follow the good ones. */
const withAgents = (specialist: string, team = ''): string =>
  `export default { name: 'cases',
    specialists: [{ name: 'Clerk', description: 'Knows cases.', instructions: 'Be brief.', ${specialist} }],
    teams: [{ name: 'Desk', description: 'Decides.', mode: 'concurrent', members: ['Clerk'], ${team} }] };`;

describe('specialists and teams of a plugin (contract/agents.md#definitions)', () => {
  // proves extending-4-05
  it('are definitions, with actions of their own', async () => {
    const bench = await PluginWorkbench.open({
      'cases.plugin.js': withAgents(
        `actions: [${action}], tools: ['get_*'], skills: ['refunds'], requiredRoles: ['Clerk'],
         model: { id: 'main', options: { temperature: 0, stopSequences: ['END'] } },
         outputSchema: { type: 'object' }`,
        "options: { aggregator: 'last', maxRounds: 3 }, requiredRoles: ['Lead']",
      ),
    });
    const plugin = await bench.loadOne();
    expect(plugin.tools).toEqual([]);
    expect(plugin.agents).toMatchObject([
      {
        definition: {
          kind: 'specialist',
          name: 'Clerk',
          instructions: 'Be brief.',
          tools: ['get_*'],
          ownTools: [{ name: 'look_up', owner: 'cases', source: 'action' }],
          skills: ['refunds'],
          requiredRoles: ['Clerk'],
          outputSchema: { type: 'object' },
          version: expect.stringMatching(/^[0-9a-f]{12}$/) as string,
        },
        model: { id: 'main', options: { temperature: 0, stopSequences: ['END'] } },
        from: 'plugin cases',
      },
      {
        definition: {
          kind: 'team',
          mode: 'concurrent',
          members: ['Clerk'],
          options: { aggregator: 'last', maxRounds: 3 },
          requiredRoles: ['Lead'],
        },
      },
    ]);
    expect(plugin.agents?.[0]?.place('model')).toEqual({ file: plugin.file, path: 'cases.specialists.Clerk.model' });
  });

  it('may name a model in short', async () => {
    const bench = await PluginWorkbench.open({ 'cases.plugin.js': withAgents("model: 'main'") });
    expect((await bench.loadOne()).agents?.[0]?.model).toEqual({ id: 'main', options: {} });
  });

  it.each<[string, string, string, RegExp, string?]>([
    ["instruction: ''", '', 'cases.specialists.Clerk.instruction', /is not a known member/, 'instructions'],
    ["name: 'a/b'", '', 'cases.specialists[0].name', /at most 64 characters without a slash/],
    ["description: ''", '', 'cases.specialists.Clerk.description', /must be text that is not blank/],
    ['model: 3', '', 'cases.specialists.Clerk.model', /must be an object/],
    ["model: { name: 'x' }", '', 'cases.specialists.Clerk.model.name', /is not a known member/],
    [
      'model: { options: { temperature: 3 } }',
      '',
      'cases.specialists.Clerk.model.options.temperature',
      /a number from 0 to 2/,
    ],
    [
      'model: { options: { top_p: 1 } }',
      '',
      'cases.specialists.Clerk.model.options.top_p',
      /is not a known member/,
      'topP',
    ],
    [`actions: [{ name: 'X' }]`, '', 'cases.specialists.Clerk.actions[0].name', /must be lower case/],
    ['', "mode: 'relay'", 'cases.teams.Desk.mode', /must be one of sequential/],
    ['', 'members: []', 'cases.teams.Desk.members', /must name at least one agent/],
    ['', "members: ['Clerk', 'Clerk']", 'cases.teams.Desk.members', /must name each agent once/],
    ['', 'options: { maxRounds: 0 }', 'cases.teams.Desk.options.maxRounds', /a whole number from 1 to 1000/],
    [
      '',
      "options: { handoffs: [{ from: 'Clerk' }] }",
      'cases.teams.Desk.options.handoffs',
      /a list of \{from, to, reason\?\}/,
    ],
  ])('are faults with %s%s', async (specialist, team, path, message, suggestion) => {
    const bench = await PluginWorkbench.open({ 'cases.plugin.js': withAgents(specialist, team) });
    const fault = (await bench.faults()).find((one) => one.path === path);
    expect(fault).toMatchObject({
      file: bench.path('cases.plugin.js'),
      message: expect.stringMatching(message) as string,
    });
    expect(fault?.suggestion).toBe(suggestion);
  });
});

describe('the name of an action that only one agent has (contract/agents.md#definitions)', () => {
  // proves extending-4-17
  it('is taken in the whole server: by another plugin', async () => {
    const bench = await PluginWorkbench.open({
      'cases.plugin.js': withAgents(`actions: [${action}]`),
      'desk.plugin.js': `export default { name: 'desk', actions: [${action}] };`,
    });
    expect(await bench.faults()).toMatchObject([
      { path: 'look_up', message: expect.stringMatching(/^the tool name "look_up" is used twice: /) as string },
    ]);
  });

  // proves extending-4-17
  it('is taken in the whole server: by a callback, and nobody else is offered the action', async () => {
    const bench = await PluginWorkbench.open({ 'cases.plugin.js': withAgents(`actions: [${action}]`) });
    const provider = pluginProvider(await bench.loadOne());
    expect(new LiveToolbox([provider], recordingLogger()).current.tools).toEqual([]);
    const callback = {
      name: 'callback "erp"',
      offer: () => ({ tools: [fakeTool({ name: 'look_up' })], pages: [] }),
      placeOf: () => ({ file: 'helper.yaml', path: 'actions.callbacks[0]' }),
    };
    expect(() => new LiveToolbox([provider, callback], recordingLogger())).toThrow(StartupFaults);
  });
});
