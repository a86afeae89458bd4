import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pluginSource, PluginWorkbench } from '../../unit/adapters/plugin-directory/plugin-workbench.ts';

/** A plugin `cases` whose action `look_up` has these members besides or instead of the good ones. */
function withAction(members: string): string {
  return `export default { name: 'cases', actions: [{
    name: 'look_up', description: 'Looks up.', parameters: { type: 'object' }, execute() {}, ${members} }] };`;
}

function withPage(members: string): string {
  return `export default { name: 'cases', pages: [{
    name: 'case', title: 'Case', url: '/case', description: 'One case.', ${members} }] };`;
}

describe('a plugin with a fault stops startup, named by file and place (contract/plugins.md#actions)', () => {
  it.each<[string, string, string, RegExp, string?]>([
    // proves extending-1-05
    ['throws while loading', "throw new Error('no database\\nat line 1');", 'cases', /^failed to load: no database$/],
    ['throws something that is no error', "throw 'broken';", 'cases', /^failed to load: broken$/],
    ['throws what has no text', 'throw Object.create(null);', 'cases', /^failed to load: no message$/],
    [
      'throws an error that cannot be read',
      "throw Object.defineProperty(new Error(), 'message', { get() { throw 1; } });",
      'cases',
      /^failed to load: no message$/,
    ],
    [
      'has a member that cannot be read',
      "export default { get name() { throw new Error('closed'); } };",
      'cases',
      /^cannot be read: closed$/,
    ],
    ['rejects at its top level', "await Promise.reject(new Error('late'));", 'cases', /^failed to load: late$/],
    ['has a syntax error', 'export default {', 'cases', /^failed to load: /],
    ['imports what is missing', "import 'left-pad-nowhere';", 'cases', /^failed to load: .*left-pad-nowhere/],
    ['exports nothing', 'export const other = 1;', 'cases', /no default export/],
    ['exports something else', 'export default () => 1;', 'cases', /no default export/],
    ['has no name', 'export default {};', 'cases.name', /is missing/],
    ['has a bad name', "export default { name: 'My Cases' };", 'cases.name', /"My Cases" must be lower case/],
    [
      'has an unknown member',
      "export default { name: 'cases', action: [] };",
      'cases.action',
      /is not a known member/,
      'actions',
    ],
    [
      'has a member of the wrong type',
      "export default { name: 'cases', actions: {} };",
      'cases.actions',
      /must be a list/,
    ],
    ...[
      ['demo: { rows() {} }', 'cases.demo.title', /is missing/],
      ["demo: { title: 'Cases' }", 'cases.demo.rows', /is missing/],
      ["demo: { title: 'Cases', rows: [] }", 'cases.demo.rows', /must be a function/],
      ["demo: { title: 'Cases', rows() {}, columns: [{ name: 'id' }] }", 'cases.demo.columns[0].title', /is missing/],
      [
        "demo: { title: 'Cases', rows() {}, columns: [{ name: 'a', title: 'A', tones: { open: 'blue' } }] }",
        'cases.demo.columns[0].tones.open',
        /must be one of neutral, info/,
      ],
    ].map(
      ([member, path, message]) =>
        [`has ${String(member)}`, `export default { name: 'cases', ${String(member)} };`, path, message] as [
          string,
          string,
          string,
          RegExp,
        ],
    ),
    [
      'has an action that is no object',
      "export default { name: 'cases', actions: [1] };",
      'cases.actions[0]',
      /must be an object/,
    ],
    [
      'has a start that is no function',
      "export default { name: 'cases', start: 1 };",
      'cases.start',
      /must be a function/,
    ],
    [
      'has an unknown hook',
      "export default { name: 'cases', hooks: { onToolResults() {} } };",
      'cases.hooks.onToolResults',
      /not a known/,
      'onToolResult',
    ],
    [
      'has approval rules that are no functions',
      "export default { name: 'cases', hooks: { autoApprovalRules: [{ tool: 'x' }] } };",
      'cases.hooks.autoApprovalRules',
      /must be a list of functions/,
    ],
    [
      'has a hook that is no function',
      "export default { name: 'cases', hooks: { onException: 1 } };",
      'cases.hooks.onException',
      /must be a function/,
    ],
    [
      'has a model that is none',
      "export default { name: 'cases', models: { main: {} } };",
      'cases.models.main',
      /LangChain chat model/,
    ],
    ['has a tool that is none', "export default { name: 'cases', tools: ['x'] };", 'cases.tools[0]', /LangChain tool/],
    [
      'has a tool that cannot be called',
      "export default { name: 'cases', tools: [{ name: 'x', description: 'X.', schema: { type: 'object' } }] };",
      'cases.tools.x.invoke',
      /is missing/,
    ],
    [
      'has a broken configSchema',
      "export default { name: 'cases', configSchema: { type: 'oject' } };",
      'cases.configSchema',
      /is not a JSON Schema/,
    ],
    [
      'has a configSchema with a pattern that can backtrack without bound',
      "export default { name: 'cases', configSchema: { type: 'object', patternProperties: { '^(a+)+$': {} } } };",
      'cases.configSchema',
      /patternProperties: the pattern "\^\(a\+\)\+\$" can backtrack without bound/,
    ],
    // proves extending-1-17
    [
      'has an action with a pattern that can backtrack without bound',
      withAction("parameters: { type: 'object', properties: { code: { type: 'string', pattern: '^(a|a)*b$' } } }"),
      'cases.actions.look_up.parameters',
      /properties\.code: the pattern "\^\(a\|a\)\*b\$" can backtrack without bound/,
    ],
    [
      'has an action with a pattern whose time grows with the square of a text of any length',
      withAction(
        "parameters: { type: 'object', properties: { mail: { type: 'string', pattern: '^[^@]+@[^@]+[.][^@]+$' } } }",
      ),
      'cases.actions.look_up.parameters',
      /properties\.mail: .* give it a maxLength of at most 3162, or bound its repetitions/,
    ],
    [
      'has a tool with a pattern that can backtrack without bound',
      "export default { name: 'cases', tools: [{ name: 'x', description: 'X.', invoke() {}, schema: { type: 'object', propertyNames: { pattern: '(x+x+)+y' } } }] };",
      'cases.tools.x.schema',
      /propertyNames: the pattern "\(x\+x\+\)\+y" can backtrack without bound/,
    ],
    ['has an action without a name', withAction('name: undefined'), 'cases.actions[0].name', /is missing/],
    // proves extending-1-16
    [
      'has an action with a bad name',
      withAction("name: 'LookUp'"),
      'cases.actions.LookUp.name',
      /"LookUp" must be lower case/,
    ],
    [
      'has an action without a description',
      withAction("description: ' '"),
      'cases.actions.look_up.description',
      /not blank/,
    ],
    [
      'has an action that does nothing',
      withAction('execute: undefined'),
      'cases.actions.look_up.execute',
      /is missing/,
    ],
    [
      'has an action with an unknown member',
      withAction('readonly: true'),
      'cases.actions.look_up.readonly',
      /not a known/,
      'readOnly',
    ],
    [
      'has an action that only reads and cannot be undone',
      withAction('readOnly: true, destructive: true'),
      'cases.actions.look_up.destructive',
      /cannot stand beside readOnly: true/,
    ],
    [
      'has an action that cannot be undone and does not ask',
      withAction('requiresConfirmation: false, destructive: true'),
      'cases.actions.look_up.destructive',
      /cannot stand beside requiresConfirmation: false/,
    ],
    ['has an action with a bad flag', withAction("readOnly: 'yes'"), 'cases.actions.look_up.readOnly', /true or false/],
    [
      'has an action with bad roles',
      withAction("requiredRoles: ['']"),
      'cases.actions.look_up.requiredRoles',
      /list of texts/,
    ],
    [
      'has an action with a bad timeout',
      withAction("timeout: '30'"),
      'cases.actions.look_up.timeout',
      /must be a duration/,
    ],
    [
      'has an action without parameters',
      withAction('parameters: undefined'),
      'cases.actions.look_up.parameters',
      /is missing/,
    ],
    [
      'has parameters that are no object type',
      withAction("parameters: { type: 'string' }"),
      'cases.actions.look_up.parameters',
      /type is object/,
    ],
    [
      'has parameters that are no schema',
      withAction("parameters: { type: 'object', properties: { id: { type: 'integr' } } }"),
      'cases.actions.look_up.parameters',
      /schema is invalid/,
    ],
    [
      'has parameters with an open reference',
      withAction("parameters: { type: 'object', properties: { id: { $ref: 'x.json' } } }"),
      'cases.actions.look_up.parameters',
      /can't resolve reference/,
    ],
    [
      'has an asynchronous schema',
      withAction("parameters: { type: 'object', $async: true }"),
      'cases.actions.look_up.parameters',
      /\$async/,
    ],
    ['has a page without a title', withPage('title: undefined'), 'cases.pages.case.title', /is missing/],
    ['has a page with an odd placement', withPage("placement: 'above'"), 'cases.pages.case.placement', /top, bottom/],
    ['has a page with a huge selector', withPage("selector: 'x'.repeat(501)"), 'cases.pages.case.selector', /500/],
    ['has a page with an unknown member', withPage("link: '/'"), 'cases.pages.case.link', /not a known/],
    [
      'has a page with a dangerous address',
      withPage("url: 'javascript:alert(1)'"),
      'cases.pages.case.url',
      /begin with https/,
    ],
    [
      'has a page that is no object',
      "export default { name: 'cases', pages: ['/'] };",
      'cases.pages[0]',
      /must be an object/,
    ],
  ])('one that %s', async (_title, ...[source, path, message, suggestion]) => {
    const bench = await PluginWorkbench.open({ 'cases/index.js': source });
    const faults = await bench.faults();
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatchObject({ file: bench.path('cases/index.js'), path });
    expect(faults[0]?.message).toMatch(message);
    expect(faults[0]?.suggestion).toBe(suggestion);
  });

  it.each([
    'route_to_specialist',
    'navigate_to_page',
    // proves extending-1-16
    'remember',
    'load_skill',
    'read_skill_resource',
    // proves extending-1-16
    'page_anything',
  ])('one that takes the reserved tool name %s', async (name) => {
    const bench = await PluginWorkbench.open({ 'cases/index.js': pluginSource('cases', name) });
    const [fault] = await bench.faults();
    expect(fault?.path).toBe(`cases.actions.${name}.name`);
    expect(fault?.message).toContain('reserved');
  });

  it('one that hangs while loading, after a bounded wait', async () => {
    const bench = await PluginWorkbench.open({
      'cases/index.mjs': 'await new Promise(() => { setInterval(() => {}, 1e6).unref(); });',
    });
    expect(await bench.faults({ timeoutMs: 20 })).toMatchObject([
      { path: 'cases', message: 'failed to load: did not finish within 20 ms' },
    ]);
  });

  it('one with TypeScript that needs a compiler', async () => {
    const bench = await PluginWorkbench.open({
      'cases/index.ts': "enum Color { Red }\nexport default { name: 'cases' };",
    });
    const [fault] = await bench.faults();
    expect(fault?.message).toMatch(/^failed to load: .*enum/);
  });

  it('an error is told with its line, in the file of the plugin it came from', async () => {
    const bench = await PluginWorkbench.open({
      'cases/index.js': "import './database.js';",
      'cases/database.js': "\n  throw new Error('no database');",
      'orders/index.mjs': "import 'broken';",
      'orders/node_modules/broken/index.js': "throw new Error('not ours');",
      'typo.plugin.js': "export default { name: 'orders',, };",
    });
    expect(await bench.faults()).toMatchObject([
      { file: bench.path('cases/database.js'), line: 2, column: 9, path: 'cases' },
      { file: bench.path('orders/index.mjs'), path: 'orders', message: 'failed to load: not ours' },
      { file: bench.path('typo.plugin.js'), line: 1, path: 'typo', message: "failed to load: Unexpected token ','" },
    ]);
  });

  it('all faults of all plugins are told at once (contract/configuration.md#faults)', async () => {
    const bench = await PluginWorkbench.open({
      'a/index.js': "throw new Error('one');",
      'b/index.js': withAction("timeout: 'soon', readOnly: 1"),
      'c.plugin.js': 'export default {};',
    });
    const faults = await bench.faults({ directories: ['missing', 'plugins'] });
    expect(faults.map(({ path }) => path)).toEqual([
      'actions.plugins[0]',
      'a',
      'cases.actions.look_up.readOnly',
      'cases.actions.look_up.timeout',
      'c.name',
    ]);
  });
});

describe('names that two places claim stop startup, naming both (contract/plugins.md#actions)', () => {
  // proves extending-1-06
  it('two plugins of one name', async () => {
    const bench = await PluginWorkbench.open({
      'a/index.js': pluginSource('cases', 'look_up'),
      'b.plugin.js': pluginSource('cases', 'look_down'),
    });
    const [fault, ...more] = await bench.faults();
    expect(more).toEqual([]);
    expect(fault).toMatchObject({ file: bench.path('b.plugin.js'), path: 'cases' });
    expect(fault?.message).toContain(bench.path('a/index.js'));
    expect(fault?.message).toContain(bench.path('b.plugin.js'));
  });

  // proves extending-1-06
  it('two actions of one name, in two plugins', async () => {
    const bench = await PluginWorkbench.open({ 'a/index.js': pluginSource('a'), 'b/index.js': pluginSource('b') });
    expect(await bench.faults()).toEqual([
      {
        file: bench.path('b/index.js'),
        path: 'look_up',
        message: `the tool name "look_up" is used twice: by plugin "a" (${bench.path('a/index.js')}) and by plugin "b" (${bench.path('b/index.js')})`,
      },
    ]);
  });

  it('an action and a LangChain tool of one name, in one plugin', async () => {
    const bench = await PluginWorkbench.open({
      'a/index.js': pluginSource(
        'a',
        'look_up',
        "tools: [{ name: 'look_up', description: 'X.', schema: { type: 'object' }, invoke() {} }]",
      ),
    });
    expect(await bench.faults()).toMatchObject([{ path: 'look_up' }]);
  });

  // proves extending-1-06
  it('two pages and two models of one name', async () => {
    const members =
      "pages: [{ name: 'home', title: 'Home', url: '/', description: 'Home.' }], models: { main: { stream() {} } }";
    const bench = await PluginWorkbench.open({
      'a/index.js': `export default { name: 'a', ${members} };`,
      'b/index.js': `export default { name: 'b', ${members} };`,
    });
    const messages = (await bench.faults()).map(({ message }) => message);
    expect(messages[0]).toMatch(/^the page name "home" is used twice/);
    expect(messages[1]).toMatch(/^the model name "main" is used twice/);
  });
});

describe('directories of actions.plugins that cannot be used (contract/configuration.md#faults)', () => {
  it.each([
    ['does not exist', 'nowhere', /does not exist/],
    ['is a file', 'plugins/cases/index.js', /is not a directory/],
  ])('one that %s', async (_title, directory, message) => {
    const bench = await PluginWorkbench.open({ 'cases/index.js': pluginSource('cases') });
    const [fault] = await bench.faults({ directories: ['plugins', directory] });
    expect(fault).toMatchObject({ file: bench.configFile, path: 'actions.plugins[1]' });
    expect(fault?.message).toMatch(message);
  });

  it('one that is listed twice, by whatever name', async () => {
    const bench = await PluginWorkbench.open({ 'cases/index.js': pluginSource('cases') });
    await symlink(bench.path('.'), join(bench.folder, 'again'));
    const [fault, ...more] = await bench.faults({ directories: ['plugins', 'again'] });
    expect(more).toEqual([]);
    expect(fault?.message).toMatch(/is the same directory as/);
  });

  it('a link to nothing, a package.json that is none, and an entry that is missing are told', async () => {
    const bench = await PluginWorkbench.open({ 'b/package.json': '{', 'c/package.json': '{"main":"./lib/x.js"}' });
    await symlink(bench.path('gone'), bench.path('a'));
    const messages = (await bench.faults()).map(({ message }) => message);
    expect(messages[0]).toContain(`${bench.path('a')}: cannot be read`);
    expect(messages[1]).toContain(`${bench.path('b/package.json')}: cannot be read`);
    expect(messages[2]).toContain(`${bench.path('c/package.json')}: its entry ./lib/x.js does not exist`);
  });
});

describe('pluginOptions (contract/plugins.md#plugins)', () => {
  const schema = `configSchema: { type: 'object', required: ['url'], additionalProperties: false,
    properties: { url: { type: 'string' }, retries: { type: 'integer', default: 3 }, secret: { type: 'string', minLength: 20 } } }`;
  const source = pluginSource('cases', 'look_up', schema);

  it.each<[string, object, object[]]>([
    ['a missing member', {}, [{ path: 'pluginOptions.cases.url', message: 'is required' }]],
    // proves extending-1-07
    ['a wrong type', { url: 1 }, [{ path: 'pluginOptions.cases.url', message: 'must be string' }]],
    ['no coercion', { url: 'x', retries: '3' }, [{ path: 'pluginOptions.cases.retries', message: 'must be integer' }]],
    [
      'an unknown member, with the nearest one',
      { url: 'x', retrys: 3 },
      [{ path: 'pluginOptions.cases.retrys', message: 'is not known', suggestion: 'retries' }],
    ],
    ['a block that is no object', [1], [{ path: 'pluginOptions.cases', message: 'must be an object' }]],
  ])('are checked against configSchema: %s', async (_title, block, faults) => {
    const bench = await PluginWorkbench.open({ 'cases/index.js': source });
    const found = await bench.faults({ pluginOptions: { cases: block } });
    expect(found).toEqual(faults.map((fault) => ({ file: bench.configFile, ...fault })));
  });

  it('are checked as empty when the block is absent', async () => {
    const bench = await PluginWorkbench.open({ 'cases/index.js': source });
    expect(await bench.faults()).toMatchObject([{ path: 'pluginOptions.cases.url' }]);
  });

  // proves extending-1-07
  it('never have their value told: it may be a secret', async () => {
    const bench = await PluginWorkbench.open({ 'cases/index.js': source });
    const found = await bench.faults({ pluginOptions: { cases: { url: 'x', secret: 'hunter2' } } });
    expect(JSON.stringify(found)).not.toContain('hunter2');
  });

  it('of a plugin that does not exist are a fault with the nearest name', async () => {
    const bench = await PluginWorkbench.open({ 'cases/index.js': pluginSource('cases') });
    expect(await bench.faults({ pluginOptions: { case: {} } })).toMatchObject([
      { file: bench.configFile, path: 'pluginOptions.case', suggestion: 'cases' },
    ]);
  });

  it('of a plugin that could not be loaded are not called unknown', async () => {
    const bench = await PluginWorkbench.open({ 'cases/index.js': "throw new Error('x');" });
    expect(await bench.faults({ pluginOptions: { cases: {} } })).toHaveLength(1);
  });
});
