import { describe, expect, it } from 'vitest';
import { readAgents } from '../../../../src/config/agents/read-agents.ts';
import type { HelperSettings } from '../../../../src/config/settings.ts';
import { folderOf } from '../../../support/skill-folder.ts';
import { settingsWith } from '../load-from-text.ts';
import { loadedShapes, refusedShapes } from './sample-shapes.ts';

/** The settings whose definitions are these files. */
function settingsOf(files: Readonly<Record<string, string>>, changes: object = {}, variables = {}): HelperSettings {
  const { path: directory } = folderOf(files);
  const settings = settingsWith('');
  return { ...settings, declarative: { ...settings.declarative, directory, ...changes }, agentVariables: variables };
}

const read = (text: string, variables = {}) => readAgents(settingsOf({ 'a.agent.yaml': text }, {}, variables));

/** The faults of one file as `line path: message`. */
const faultsOf = (text: string): readonly string[] =>
  read(text).faults.map(({ line, path, message }) => `${String(line)} ${path}: ${message}`);

const billing = 'kind: Prompt\nname: Billing\ndescription: Invoices.\ninstructions: Never guess.\n';

describe('files of definitions (contract/agents.md#definitions)', () => {
  // proves extending-4-01
  it('are none by default', () => {
    const { declarative, remoteAgents } = settingsWith('');
    expect(declarative).toEqual({
      directory: null,
      searchPattern: '*.agent.yaml',
      recursive: false,
      definitions: [],
      configurationSection: null,
      watch: false,
    });
    expect(remoteAgents).toEqual([]);
    expect(readAgents(settingsWith(''))).toEqual({ agents: [], faults: [], stamp: '' });
  });

  // proves extending-4-01
  it('are those of the pattern, by name, with several documents each', () => {
    const files = {
      'b.agent.yaml': billing.replace('Billing', 'B'),
      'a.agent.yaml': `${billing.replace('Billing', 'A1')}---\n${billing.replace('Billing', 'A2')}---\n`,
      '.hidden.agent.yaml': billing,
      'notes.yaml': 'nothing: here',
      'below/c.agent.yaml': billing.replace('Billing', 'C'),
      'd.assistant.yml': billing.replace('Billing', 'D'),
    };
    const names = (changes: object) =>
      readAgents(settingsOf(files, changes)).agents.map(({ definition, from }) => `${definition.name} ${from}`);
    expect(names({})).toEqual(['A1 a.agent.yaml', 'A2 a.agent.yaml', 'B b.agent.yaml']);
    expect(names({ recursive: true })).toEqual([
      'A1 a.agent.yaml',
      'A2 a.agent.yaml',
      'B b.agent.yaml',
      'C below/c.agent.yaml',
    ]);
    expect(names({ searchPattern: '*.assistant.y?l' })).toEqual(['D d.assistant.yml']);
  });

  // proves extending-4-02
  it('make a specialist of a prompt', () => {
    const text = `${billing}model: { id: main, options: { temperature: 0, maxOutputTokens: 100, stopSequences: [END] } }
tools:
  - { kind: function, name: get_invoice }
helper: { requiredRoles: [Finance], skills: [refunds], actions: ["invoice_*"] }
`;
    expect(read(text).agents).toMatchObject([
      {
        definition: {
          kind: 'specialist',
          name: 'Billing',
          description: 'Invoices.',
          instructions: 'Never guess.',
          requiredRoles: ['Finance'],
          tools: ['get_invoice', 'invoice_*'],
          ownTools: [],
          skills: ['refunds'],
          version: expect.stringMatching(/^[0-9a-f]{12}$/) as string,
        },
        model: { id: 'main', options: { temperature: 0, maxOutputTokens: 100, stopSequences: ['END'] } },
      },
    ]);
  });

  // proves extending-4-03, extending-4-09
  it('make a team and a remote agent', () => {
    const { agents } = read(
      `kind: team
name: Quotes
description: Prepares quotes.
mode: GroupChat
members: [Billing, Warehouse]
options: { maxRounds: 4, maxTokens: 500, manager: Billing }
helper: { requiredRoles: [Sales] }
---
kind: remoteAgent
name: Warehouse
description: Knows stock.
agentCardUrl: https://warehouse.example/agents/stock
headers: { Authorization: =Env.TOKEN, X-Plain: "==x" }
`,
      { TOKEN: 'Bearer abc' },
    );
    expect(agents.map(({ definition }) => definition)).toMatchObject([
      {
        kind: 'team',
        mode: 'groupChat',
        members: ['Billing', 'Warehouse'],
        options: { maxRounds: 4, maxTokens: 500, manager: 'Billing' },
        requiredRoles: ['Sales'],
      },
      {
        kind: 'remote',
        agentCardUrl: 'https://warehouse.example/agents/stock',
        headers: { Authorization: 'Bearer abc', 'X-Plain': '=x' },
        requiredRoles: [],
      },
    ]);
  });

  // proves extending-4-06, extending-4-07
  it.each(loadedShapes.map((shape) => [shape.title, shape] as const))(
    'of Microsoft Agent Framework load unchanged: %s',
    (_title, { text, ignored, agent }) => {
      const { agents, faults } = read(text, { OPENAI_MODEL: 'gpt-small' });
      expect(faults).toEqual([]);
      expect(agents).toMatchObject([agent]);
      expect(agents[0]?.ignored).toEqual(ignored);
    },
  );

  // proves extending-4-08
  it.each(refusedShapes)('refuse the tool %s, and say what to do', (tool, says) => {
    expect(faultsOf(`${billing}tools:\n  - { kind: function, name: a }\n  - ${tool}\n`)).toEqual([
      expect.stringMatching(new RegExp(`^7 tools\\[1\\]\\.kind: .*${says.source}`)),
    ]);
  });
});

describe('a fault of a definition (contract/agents.md#definitions)', () => {
  // proves extending-4-08, extending-4-09, extending-4-11
  it.each<[string, string, readonly string[]]>([
    ['an unknown member', `${billing}instrctions: x\n`, ['5 instrctions: unknown key']],
    [
      'an unknown option',
      `${billing}model:\n  options:\n    temprature: 0\n`,
      ['7 model.options.temprature: unknown key'],
    ],
    [
      'a value out of range',
      `${billing}model: { options: { temperature: 3 } }\n`,
      ['5 model.options.temperature: found 3; allowed: a number from 0 to 2'],
    ],
    ['a workflow', 'kind: Workflow\ntrigger: {}\n', ['1 kind: workflows of Microsoft Agent Framework cannot run here']],
    [
      'a manifest',
      'name: a\ntemplate: { kind: hosted }\n',
      ['1 kind: missing; this is a manifest: write the agent below its template as a definition with kind: Prompt'],
    ],
    ['a hosted agent', 'kind: hosted\nname: A\n', ['1 kind: agents that Microsoft Foundry hosts cannot run here']],
    [
      'a kind of JavaScript',
      'kind: constructor\nname: A\n',
      ['1 kind: found "constructor"; allowed: Prompt, Team, RemoteAgent'],
    ],
    [
      'a tool of a kind of JavaScript',
      `${billing}tools:\n  - { kind: constructor }\n`,
      ['6 tools[0].kind: found "constructor"; allowed: one of function'],
    ],
    ['an unknown kind', 'kind: Promt\nname: A\n', ['1 kind: found "Promt"; allowed: Prompt, Team, RemoteAgent']],
    [
      'a function without a name, and members of another kind',
      `${billing}tools:\n  - { kind: function }\n  - { kind: webSearch, vectorStoreIds: [a] }\n  - { kind: web_search }\n`,
      [
        '6 tools[0].name: missing; a function needs it',
        '7 tools[1].vectorStoreIds: is no member of a tool with kind: webSearch',
        '8 tools[2].kind: webSearch stands there already',
      ],
    ],
    ['no kind', 'name: A\n', ['1 kind: missing; allowed: Prompt, Team, RemoteAgent']],
    ['no name', 'kind: Prompt\n', ['1 name: missing']],
    [
      'a name with a slash',
      'kind: Prompt\nname: a/b\n',
      ['2 name: found "a/b"; allowed: a text of at most 64 characters without a slash'],
    ],
    ['no document of members', '- 1\n', ['1 (document): must hold the members of one agent']],
    [
      'two faults in two documents',
      `${billing}x: 1\n---\nkind: Team\nname: T\ndescription: d\nmode: relay\nmembers: [A, A]\n`,
      ['5 x: unknown key', '10 mode: found "relay"', '11 members: found a list'],
    ],
    ['no YAML', 'kind: [Prompt\n', ['2 (yaml): the indentation does not fit']],
    [
      'another expression',
      `${billing}additionalInstructions: =Concat(a, b)\n`,
      ['5 additionalInstructions: an expression that is not known'],
    ],
    [
      'a name that has no value',
      `${billing}additionalInstructions: =Env.NOBODY\n`,
      ['5 additionalInstructions: =Env.NOBODY has no value: declarative.configurationSection names no values'],
    ],
    [
      'an address that is none',
      'kind: RemoteAgent\nname: W\ndescription: d\nagentCardUrl: ftp://x\n',
      ['4 agentCardUrl: found "ftp://x"'],
    ],
  ])('is told with its line: %s', (_title, text, expected) => {
    const faults = faultsOf(text);
    expect(faults).toHaveLength(expected.length);
    for (const [index, start] of expected.entries()) expect(faults[index]?.startsWith(start)).toBe(true);
  });

  // proves extending-4-09
  it('names the nearest name of a variable, and shows no value', () => {
    const { faults } = read(
      `${billing}model: { options: { temperature: =Env.HEAT } }\nadditionalInstructions: =Env.TOKN\n`,
      {
        HEAT: 'very secret',
        TOKEN: 'very secret',
      },
    );
    expect(faults).toMatchObject([
      {
        path: 'additionalInstructions',
        message: '=Env.TOKN has no value; the names are HEAT, TOKEN',
        suggestion: '=Env.TOKEN',
      },
      { path: 'model.options.temperature', message: expect.stringMatching(/^found \*\*\*; /) as string },
    ]);
  });

  // proves extending-4-09
  it('reads the value of an expression as the type of its member', () => {
    const { agents } = read(`${billing}model: { options: { temperature: =Env.HEAT } }\n`, { HEAT: '0.5' });
    expect(agents[0]?.model?.options).toEqual({ temperature: 0.5 });
  });

  it('is a directory that is not there, and a file that is no text', () => {
    const settings = settingsOf({ 'a.agent.yaml': '\uFEFF' });
    expect(
      readAgents({ ...settings, declarative: { ...settings.declarative, directory: '/nowhere/at/all' } }).faults,
    ).toMatchObject([{ path: 'declarative.directory', message: 'there is no directory /nowhere/at/all' }]);
    const { path: directory } = folderOf({
      'a.agent.yaml': new Uint8Array([0x6b, 0xff]),
      'b.agent.yaml': 'x'.repeat(1024 * 1024 + 1),
    });
    expect(readAgents({ ...settings, declarative: { ...settings.declarative, directory } }).faults).toMatchObject([
      { path: '(whole file)', message: 'is not UTF-8 text' },
      { path: '(whole file)', message: 'is larger than 1 MiB' },
    ]);
  });

  // proves extending-4-11
  it('in a text of helper.yaml names the entry and the line of the text', () => {
    const settings = settingsWith('');
    const declarative = { ...settings.declarative, definitions: [billing, `${billing}x: 1\n`] };
    const { agents, faults } = readAgents({ ...settings, declarative });
    expect(agents.map(({ from }) => from)).toEqual(['declarative.definitions[0]']);
    expect(faults).toMatchObject([
      {
        file: settings.configFile,
        path: 'declarative.definitions[1].x',
        message: expect.stringMatching(/^line 5 of this text: unknown key/) as string,
      },
    ]);
  });
});

describe('the version of an entry of remoteAgents (contract/agents.md#definitions)', () => {
  it('changes with its address, and not with a secret in it', () => {
    const versionOf = (agentCardUrl: string) =>
      readAgents(settingsWith(`remoteAgents: [{ name: W, description: d, agentCardUrl: "${agentCardUrl}" }]\n`))
        .agents[0]?.definition.version;
    expect(versionOf('https://me:abc@w.example?k=a')).toBe(versionOf('https://me:xyz@w.example?k=b'));
    expect(versionOf('https://w.example')).not.toBe(versionOf('https://v.example'));
  });
});

describe('the version of a definition (contract/agents.md#definitions)', () => {
  const versionOf = (text: string, variables = {}) => read(text, variables).agents[0]?.definition.version;

  // proves extending-4-18
  it('is the same for the same content, whatever its order and comments', () => {
    expect(versionOf('name: Billing\nkind: Prompt # one\ninstructions: a\n')).toBe(
      versionOf('kind: Prompt\nname: Billing\ninstructions: a\n'),
    );
  });

  // proves extending-4-18
  it('changes with the content, and not with a secret', () => {
    expect(versionOf(billing)).not.toBe(versionOf(billing.replace('guess', 'lie')));
    const remote = (token: string) =>
      `kind: RemoteAgent\nname: W\ndescription: d\nagentCardUrl: https://w.example\nheaders: { Authorization: ${token} }\n`;
    expect(versionOf(remote('abc'))).toBe(versionOf(remote('xyz')));
    const at = (address: string) => remote('abc').replace('https://w.example', address);
    expect(versionOf(at('https://me:abc@w.example?k=a'))).toBe(versionOf(at('https://me:xyz@w.example?k=b')));
    expect(versionOf(at('https://w.example'))).not.toBe(versionOf(at('https://v.example')));
    const withModel = `${billing}model: =Env.MODEL\n`;
    expect(versionOf(withModel, { MODEL: 'a' })).toBe(versionOf(withModel, { MODEL: 'b' }));
  });
});
