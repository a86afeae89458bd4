import { mkdir, symlink } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../../../src/core/tools/tool.ts';
import { PluginWorkbench, toolContext, toolNamed } from '../plugin-workbench.ts';

/** Loads one action called `look_up`; `members` come after the good ones. */
async function actionWith(members: string): Promise<Tool> {
  const bench = await PluginWorkbench.open({
    'cases/index.js': `import { card, content, navigate, uiAction } from 'helper';
      export default { name: 'cases', actions: [{
        name: 'look_up', description: 'Looks up.', parameters: { type: 'object' }, execute() {}, ${members} }] };`,
  });
  return toolNamed(await bench.loadOne(), 'look_up');
}

/** Loads a plugin that may import these packages of this project. */
async function pluginWithPackages(source: string, packages: readonly string[]): Promise<PluginWorkbench> {
  const bench = await PluginWorkbench.open({ 'cases/index.js': source });
  for (const name of packages) {
    const link = bench.path(`cases/node_modules/${name}`);
    await mkdir(dirname(link), { recursive: true });
    await symlink(resolve('node_modules', name), link);
  }
  return bench;
}

function faultsFor(tool: Tool, value: unknown): readonly string[] {
  const check = tool.checkArguments(value);
  return check.ok ? [] : check.faults;
}

describe('an action as a tool (contract/plugins.md#actions)', () => {
  it('keeps what it declares, and what it leaves out stays undeclared', async () => {
    expect(await actionWith('')).toMatchObject({
      name: 'look_up',
      title: 'Look up',
      description: 'Looks up.',
      parameters: { type: 'object' },
      source: 'action',
      readOnly: undefined,
      requiresConfirmation: undefined,
      requiredRoles: [],
      timeoutMs: 60_000,
      owner: 'cases',
    });
    expect(
      await actionWith(
        "title: 'Find', readOnly: false, requiresConfirmation: true, requiredRoles: ['a'], timeout: '2m',",
      ),
    ).toMatchObject({
      title: 'Find',
      readOnly: false,
      requiresConfirmation: true,
      requiredRoles: ['a'],
      timeoutMs: 120_000,
    });
  });

  // proves extending-1-10
  it('is given its checked arguments, the context, and itself as `this`', async () => {
    const tool = await actionWith('execute(args, context) { return [args, context.callId, this.name]; },');
    const result = await tool.execute({ id: 1 }, toolContext({ callId: 'call-9' }));
    expect(result).toEqual({ value: [{ id: 1 }, 'call-9', 'look_up'] });
  });

  // proves extending-1-11
  it("is not given the caller's own credential", async () => {
    const tool = await actionWith('execute(args, context) { return Object.keys(context); },');
    const { value } = await tool.execute({}, toolContext({ authorization: 'Bearer x' }));
    expect(value).toContain('callId');
    expect(value).not.toContain('authorization');
  });

  it.each([
    // proves extending-1-19
    ['throws', "execute() { throw new Error('no such case'); }"],
    // proves extending-1-19
    ['rejects', "async execute() { throw new Error('no such case'); }"],
  ])('that %s is an exception of the tool', async (_title, execute) => {
    const tool = await actionWith(execute);
    await expect(tool.execute({}, toolContext())).rejects.toThrow('no such case');
  });
});

describe('the progress of an action (contract/plugins.md#actions, `progress`)', () => {
  async function shown(body: string): Promise<readonly string[]> {
    const texts: string[] = [];
    const tool = await actionWith(`async execute(args, { progress }) { ${body} }`);
    await tool.execute({}, toolContext({ progress: (text) => texts.push(text) }));
    return texts;
  }

  it('is passed on as text, whatever was given; nothing is no progress', async () => {
    expect(await shown("progress('half'); progress(50); progress(); progress(null); progress('');")).toEqual([
      'half',
      '50',
    ]);
  });

  it('a flood is thinned out, so that a loop cannot cut off the user who waits', async () => {
    const texts = await shown('for (let index = 0; index < 10_000; index += 1) progress(`row ${index}`);');
    expect(texts[0]).toBe('row 0');
    expect(texts.length).toBeGreaterThanOrEqual(20);
    expect(texts.length).toBeLessThan(100);
  });
});

describe('arguments against a JSON Schema (contract/plugins.md#actions)', () => {
  const schema = `parameters: { type: 'object', required: ['id'], additionalProperties: false, properties: {
    id: { type: 'integer' }, kind: { type: 'string', enum: ['a', 'b'] }, day: { type: 'string', format: 'date' },
    count: { type: 'integer', default: 5 },
    lines: { type: 'array', items: { type: 'object', required: ['amount'], properties: { amount: { type: 'number' } } } } } }`;

  it.each<[string, unknown, string[]]>([
    ['a missing one', {}, ['id: is required']],
    // proves extending-1-09
    ['a wrong type, never coerced', { id: '1' }, ['id: must be integer']],
    ['one outside its list', { id: 1, kind: 'c' }, ['kind: must be one of ["a","b"]']],
    ['one of a wrong format', { id: 1, day: 'today' }, ['day: must match format "date"']],
    ['an unknown one, with the nearest', { id: 1, knd: 'a' }, ['knd: is not known, did you mean kind?']],
    ['one deep inside', { id: 1, lines: [{ amount: 1 }, {}] }, ['lines[1].amount: is required']],
    // proves extending-1-09
    [
      'several at once',
      { id: 1.5, kind: 2 },
      ['id: must be integer', 'kind: must be string', 'kind: must be one of ["a","b"]'],
    ],
    ['no object at all', 'text', ['arguments: must be object']],
    ['nothing', undefined, ['arguments: must be object']],
    ['a list', [], ['arguments: must be object']],
  ])('each fault is one line naming the argument: %s', async (_title, value, faults) => {
    expect(faultsFor(await actionWith(schema), value)).toEqual(faults);
  });

  it('valid ones pass as they are: defaults are for the model to read, not filled in', async () => {
    const value = { id: 1 };
    const check = (await actionWith(schema)).checkArguments(value);
    expect(check).toEqual({ ok: true, value: { id: 1 } });
  });

  it('a model that gets everything wrong is told twenty faults and how many more', async () => {
    const lines = Array.from({ length: 30 }, () => ({}));
    const faults = faultsFor(await actionWith(schema), { id: 1, lines });
    expect(faults).toHaveLength(21);
    expect(faults.at(-1)).toBe('and 10 more faults');
  });

  // proves extending-1-17
  it('a draft-07 schema keeps its meaning, and its dialect is not shown to the model', async () => {
    const tool = await actionWith(`parameters: { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object',
      properties: { pair: { type: 'array', items: [{ type: 'integer' }, { type: 'string' }] } } }`);
    expect(faultsFor(tool, { pair: [1, 2] })).toEqual(['pair[1]: must be string']);
    expect(tool.parameters).not.toHaveProperty('$schema');
  });

  it('two actions may use the same $id', async () => {
    const bench = await PluginWorkbench.open({
      'cases/index.js': `const parameters = { $id: 'https://example.com/one', type: 'object' };
        const action = (name) => ({ name, description: 'X.', parameters: { ...parameters }, execute() {} });
        export default { name: 'cases', actions: [action('one'), action('two')] };`,
    });
    expect((await bench.loadOne()).tools).toHaveLength(2);
  });
});

describe('results of an action (contract/plugins.md#results)', () => {
  it.each<[string, string, unknown]>([
    // proves extending-1-12
    ['data', '({ found: 1 })', { value: { found: 1 } }],
    ['text', "'done'", { value: 'done' }],
    ['nothing', 'undefined', { value: null }],
    ['null', 'null', { value: null }],
    ['a date, as JSON has it', '({ at: new Date(0), none: undefined })', { value: { at: '1970-01-01T00:00:00.000Z' } }],
    // proves extending-1-12
    ['card()', "card({ id: 1 }, { type: 'AdaptiveCard' })", { value: { id: 1 }, card: { type: 'AdaptiveCard' } }],
    // proves extending-1-12
    [
      'navigate()',
      "navigate('case', { id: 1 })",
      { value: { page: 'case', params: { id: 1 } }, navigate: { page: 'case', params: { id: 1 } } },
    ],
    [
      'card() around navigate()',
      "card(navigate('home'), { body: [] })",
      { value: { page: 'home', params: {} }, navigate: { page: 'home', params: {} }, card: { body: [] } },
    ],
    // proves extending-1-12
    [
      'uiAction()',
      "uiAction('show_case', { id: 1, none: undefined })",
      { value: null, uiAction: { name: 'show_case', arguments: { id: 1 } } },
    ],
    [
      'card() around uiAction()',
      "card(uiAction('show_case'), { body: [] })",
      { value: null, uiAction: { name: 'show_case', arguments: {} }, card: { body: [] } },
    ],
    // proves extending-1-50
    [
      'content()',
      "content([{ type: 'text', text: 'Map' }, { type: 'image', data: 'aGk=', mimeType: 'image/png' }])",
      {
        value: [
          { type: 'text', text: 'Map' },
          { type: 'image', data: 'aGk=', mimeType: 'image/png' },
        ],
        isContent: true,
      },
    ],
    [
      'data that only looks like content',
      "({ kind: 'content', parts: [] })",
      { value: { kind: 'content', parts: [] } },
    ],
    // proves extending-1-13
    [
      'data that only looks like a card',
      "({ kind: 'card', value: 1, card: {} })",
      { value: { kind: 'card', value: 1, card: {} } },
    ],
    // proves extending-1-13
    ['a copy of a card', '({ ...card(1, {}) })', { value: { kind: 'card', value: 1, card: {} } }],
  ])('%s', async (_title, expression, expected) => {
    const tool = await actionWith(`execute: () => ${expression}`);
    expect(await tool.execute({}, toolContext())).toEqual(expected);
  });

  // proves extending-1-50
  it.each([
    ['no list', "content('x')", 'content needs a list of parts'],
    [
      'an unknown type',
      "content([{ type: 'video' }])",
      'part 1 of content has another type than text, image, audio and resource',
    ],
    ['no text', "content([{ type: 'text' }])", 'part 1 of content needs a text'],
    [
      'no base64',
      "content([{ type: 'image', data: '<svg>', mimeType: 'image/png' }])",
      'part 1 of content needs data in base64',
    ],
    [
      'no media type',
      "content([{ type: 'audio', data: 'aGk=', mimeType: 'a sound' }])",
      'part 1 of content needs a mimeType such as image/png',
    ],
    [
      'no uri',
      "content([{ type: 'resource', resource: { uri: '', text: 'x' } }])",
      'part 1 of content needs a resource with a uri',
    ],
    [
      'text and blob',
      "content([{ type: 'resource', resource: { uri: 'doc:1', text: 'x', blob: 'aGk=' } }])",
      'part 1 of content needs either text or blob',
    ],
    [
      'neither',
      "content([{ type: 'resource', resource: { uri: 'doc:1' } }])",
      'part 1 of content needs a text, or a blob in base64',
    ],
    ['too many', "content(Array(101).fill({ type: 'text', text: '' }))", 'content has more than 100 parts'],
    [
      'too long',
      "content([{ type: 'text', text: 'x'.repeat(8 * 1024 * 1024) }])",
      'content is longer than 8388608 characters',
    ],
  ])('content with a fault is an exception of the tool that says so: %s', async (_title, body, reason) => {
    const tool = await actionWith(`execute: () => ${body}`);
    await expect(tool.execute({}, toolContext())).rejects.toThrow(
      `look_up returned a result that cannot be used: ${reason}`,
    );
  });

  it.each([
    // proves extending-1-12
    ['a BigInt', '({ id: 1n })', /BigInt/],
    // proves extending-1-21
    ['a cycle', '{ const a = {}; a.a = a; return a; }', /circular/],
    ['a cycle in a card', '{ const a = {}; a.a = a; return card(1, a); }', /circular/],
    ['a map', 'new Map([[1, 2]])', /a Map/],
    ['a set inside', '({ ids: [new Set([1])] })', /a Set/],
    ['an error', "({ error: new Error('no such case') })", /an Error.*throw it/],
    // proves extending-1-21
    ['a promise inside', '[Promise.resolve(1)]', /a Promise.*await it/],
    ['a map in a card', 'card(1, { body: new Map() })', /a Map/],
    ['something that cannot be read', "({ toJSON() { throw new Error('closed'); } })", /closed/],
  ])('%s is an exception of the tool that says so', async (_title, body, reason) => {
    const tool = await actionWith(`execute: () => ${body}`);
    const work = tool.execute({}, toolContext());
    await expect(work).rejects.toThrow(/^look_up returned a result that is not JSON: /);
    await expect(work).rejects.toThrow(reason);
  });

  it('a result is a copy: what the plugin does to its state later is not in it', async () => {
    const bench = await PluginWorkbench.open({
      'cases/index.js': `const state = { n: 0 };
        export default { name: 'cases', actions: [{ name: 'look_up', description: 'X.', parameters: { type: 'object' },
          execute() { state.n += 1; return state; } }] };`,
    });
    const counter = toolNamed(await bench.loadOne(), 'look_up');
    const first = await counter.execute({}, toolContext());
    await counter.execute({}, toolContext());
    expect(first.value).toEqual({ n: 1 });
  });
});

describe('Zod objects as parameters (contract/plugins.md#actions)', () => {
  it.each([
    // proves extending-1-17
    'zod',
    'zod/v3',
  ])('%s: shown as JSON Schema, checked, and parsed for execute', async (zod) => {
    const bench = await pluginWithPackages(
      `import { z } from '${zod}';
      export default { name: 'cases', actions: [{
        name: 'look_up', description: 'Looks up.',
        parameters: z.object({ id: z.number().int().describe('Case number'), limit: z.number().default(5),
          even: z.number().refine((n) => n % 2 === 0, 'must be even').optional() }),
        execute: (args) => args }] };`,
      ['zod'],
    );
    const tool = toolNamed(await bench.loadOne(), 'look_up');
    expect(tool.parameters).toMatchObject({
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'integer', description: 'Case number' } },
    });
    expect(faultsFor(tool, { id: '1' })).toEqual(['id: must be integer']);
    expect(faultsFor(tool, { id: 1, even: 3 })).toEqual(['even: must be even']);
    expect(tool.checkArguments({ id: 1 })).toEqual({ ok: true, value: { id: 1 } });
    expect((await tool.execute({ id: 1 }, toolContext())).value).toEqual({ id: 1, limit: 5 });
  });

  it('an asynchronous refinement is asked when the action runs', async () => {
    const bench = await pluginWithPackages(
      `import { z } from 'zod';
      export default { name: 'cases', actions: [{ name: 'look_up', description: 'Looks up.',
        parameters: z.object({ id: z.number().refine(async (id) => id < 5, 'is not known') }),
        execute: (args) => args }] };`,
      ['zod'],
    );
    const tool = toolNamed(await bench.loadOne(), 'look_up');
    expect(tool.checkArguments({ id: 9 }).ok).toBe(true);
    await expect(tool.execute({ id: 9 }, toolContext())).rejects.toThrow('id: is not known');
  });

  it.each([
    ['no object', 'z.string()', /type is object/],
    ['a type without JSON Schema', 'z.object({ at: z.date() })', /Date cannot be represented/],
  ])('%s is a fault at startup', async (_title, schema, message) => {
    const bench = await pluginWithPackages(
      `import { z } from 'zod';
      export default { name: 'cases', actions: [{ name: 'look_up', description: 'X.', parameters: ${schema}, execute() {} }] };`,
      ['zod'],
    );
    const [fault] = await bench.faults();
    expect(fault?.message).toMatch(message);
  });
});

describe('LangChain tools (contract/plugins.md#actions, `tools`)', () => {
  it('declare nothing, are checked by their schema, and receive the signal', async () => {
    const bench = await pluginWithPackages(
      `import { tool } from '@langchain/core/tools';
      import { z } from 'zod';
      export default { name: 'cases', tools: [
        tool(async ({ id }, config) => ({ id, aborted: config.signal.aborted }),
          { name: 'look_up', description: 'Looks up.', schema: z.object({ id: z.number() }) }),
        tool(() => { throw new Error('no such case'); },
          { name: 'close_case', description: 'Closes.', schema: { type: 'object', properties: {} } }),
      ] };`,
      ['zod', '@langchain/core'],
    );
    const plugin = await bench.loadOne();
    const lookUp = toolNamed(plugin, 'look_up');
    expect(lookUp).toMatchObject({
      title: 'Look up',
      source: 'tool',
      readOnly: undefined,
      requiredRoles: [],
      owner: 'cases',
    });
    expect(faultsFor(lookUp, { id: 'x' })).toEqual(['id: must be number']);
    const signal = AbortSignal.abort();
    await expect(lookUp.execute({ id: 1 }, toolContext({ signal }))).rejects.toThrow();
    expect((await lookUp.execute({ id: 1 }, toolContext())).value).toEqual({ id: 1, aborted: false });
    await expect(toolNamed(plugin, 'close_case').execute({}, toolContext())).rejects.toThrow('no such case');
  });
});

describe('the other parts of a plugin (contract/plugins.md#actions)', () => {
  // proves service-2.3-15
  it('pages, models and hooks are handed over as they were declared', async () => {
    const bench = await PluginWorkbench.open({
      'cases/index.js': `export default { name: 'cases',
        pages: [{ name: 'case', title: 'Case', url: '/case/{id}', description: 'One case.', requiredRoles: ['a'] },
                { name: 'home', title: 'Home', url: '/', description: 'Home.', selector: '#home', placement: 'top' }],
        models: { house: { stream() {}, called: 'house' } },
        hooks: { requiresApproval(toolName) { return toolName === 'x'; } } };`,
    });
    const plugin = await bench.loadOne();
    expect(plugin.pages).toEqual([
      { name: 'case', title: 'Case', url: '/case/{id}', description: 'One case.', requiredRoles: ['a'] },
      {
        name: 'home',
        title: 'Home',
        url: '/',
        description: 'Home.',
        requiredRoles: [],
        selector: '#home',
        placement: 'top',
      },
    ]);
    expect([...plugin.models]).toMatchObject([['house', { called: 'house' }]]);
    expect(plugin.hooks.requiresApproval?.('x')).toBe(true);
    expect(Object.keys(plugin.hooks)).toEqual(['requiresApproval']);
  });

  it('a plugin that is nothing but a name has none of them', async () => {
    const bench = await PluginWorkbench.open({ 'cases/index.js': "export default { name: 'cases' };" });
    expect(await bench.loadOne()).toMatchObject({ tools: [], pages: [], models: new Map(), hooks: {} });
  });
});
