import { describe, expect, it } from 'vitest';
import { mcpLimits } from '../../../../src/adapters/mcp-client/mcp-limits.ts';
import { ToolList } from '../../../../src/adapters/mcp-client/tool-list.ts';
import { recordingLogger } from '../../../support/quiet.ts';

const schema = { type: 'object', properties: { a: { type: 'string' } } };
const tool = (name: string, more: object = {}): object => ({ name, inputSchema: schema, ...more });

function list(named: Readonly<Record<string, readonly string[]>> = {}): {
  readonly list: ToolList;
  readonly log: ReturnType<typeof recordingLogger>;
} {
  const log = recordingLogger();
  return { log, list: new ToolList({ server: 'erp', allowedTools: undefined, named, limits: mcpLimits, log }) };
}

const namesOf = ({ tools }: ToolList): readonly string[] => tools.map(({ name }) => name);

describe('the list of tools of an MCP server (contract/mcp-servers.md#tools)', () => {
  // proves service-2.16-46
  it('takes a schema without a type for that of an object, and leaves out definitions that nothing refers to', async () => {
    const { list: own } = list();
    const defs = { A: { $ref: '#/$defs/B' }, B: { type: 'string' }, C: { $ref: '#/$defs/C' } };
    await own.take([
      { name: 'none' },
      { name: 'empty', inputSchema: { $schema: 'http://json-schema.org/draft-07/schema#' } },
      tool('defs', { inputSchema: { type: 'object', properties: { a: { $ref: '#/$defs/A' } }, $defs: defs } }),
      tool('unused', { inputSchema: { type: 'object', properties: {}, definitions: defs } }),
    ]);
    expect(own.tools.map(({ schema }) => schema.schema)).toEqual([
      { type: 'object', properties: {} },
      { type: 'object' },
      { type: 'object', properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: defs.A, B: defs.B } },
      { type: 'object', properties: {} },
    ]);
  });

  // proves service-2.16-90
  it('looks for one of a name no further than that length, past those that cannot be used', async () => {
    const limits = { ...mcpLimits, listLength: 50_000 };
    const own = new ToolList({ server: 'erp', allowedTools: undefined, named: {}, limits, log: recordingLogger() });
    const broken = tool('a', { inputSchema: { type: 'object', properties: { a: { type: 'none' } } } });
    const long = { ...broken, title: 'x'.repeat(20_000) };
    expect((await own.find('a', [long, tool('b'), long, tool('a')]))?.name).toBe('a');
    expect(await own.find('a', [long, long, long, tool('a')])).toBeUndefined();
  });

  // proves service-2.16-90
  it('takes tools up to a length of all together, and says that it leaves out the others', async () => {
    const { list: own, log } = list();
    const long = { type: 'object', description: 'x'.repeat(30_000) };
    await own.take(Array.from({ length: 200 }, (_, index) => tool(`tool_${String(index)}`, { inputSchema: long })));
    expect(own.tools).toHaveLength(69);
    expect(log.lines.at(-1)?.fields).toEqual({
      faults: ['declares more than 2097152 characters of tools; the others are left out'],
    });
  });

  // proves service-2.16-91
  it('is read while others are served, however long its schemas take', async () => {
    const { list: own } = list();
    const properties = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`p${String(index)}`, { type: 'object', properties: { a: schema } }]),
    );
    let served = 0;
    const serve = setInterval(() => (served += 1), 1);
    const slow = Array.from({ length: 8 }, (_, index) =>
      tool(`tool_${String(index)}`, { inputSchema: { type: 'object', title: String(index), properties } }),
    );
    const taking = own.take(slow);
    await taking.finally(() => {
      clearInterval(serve);
    });
    expect(own.tools).toHaveLength(8);
    expect(served).toBeGreaterThan(2);
  });

  // proves service-2.16-47
  it('names what the configuration names and the server does not have, with what is most like it', async () => {
    const { list: own, log } = list({ allowedTools: ['find_ordr'], tools: ['cancel-order', 'zzzzzz'] });
    await own.take([tool('find_order'), tool('cancel_order')]);
    const warnings = [
      'allowedTools names "find_ordr", which is no tool of the MCP server erp, so it does nothing (did you mean "find_order"?).',
      'tools names "cancel-order", which is no tool of the MCP server erp, so it does nothing (did you mean "cancel_order"?).',
      'tools names "zzzzzz", which is no tool of the MCP server erp, so it does nothing.',
    ].map((message) => ({ code: 'HLP1161', message }));
    expect(own.warnings).toEqual(warnings);
    const told = () => log.lines.map(({ fields, message }) => ({ ...fields, message }));
    expect(told()).toEqual(warnings);
    await own.take([tool('find_order'), tool('cancel_order'), tool('zzzzzz')]);
    expect(own.warnings).toEqual(warnings.slice(0, 2));
    expect(told()).toHaveLength(3);
  });

  // proves service-2.16-40
  it('takes 512 tools at most, and says so', async () => {
    const { list: own, log } = list();
    await own.take(Array.from({ length: 600 }, (_, index) => tool(`t${String(index)}`)));
    expect(own.tools).toHaveLength(512);
    expect(JSON.stringify(log.lines)).toContain('has more than 512 tools');
  });

  // proves service-2.16-42
  it.each([
    ['no object', 'text'],
    ['a tool without a name', { inputSchema: schema }],
    ['a name that is too long', tool('x'.repeat(200))],
    ['a schema of another type', { name: 'bad', inputSchema: { type: 'array' } }],
    ['a tool that runs as a task alone', tool('bad', { execution: { taskSupport: 'required' } })],
    ['a schema from elsewhere', { name: 'bad', inputSchema: { type: 'object', $ref: 'https://evil.example/s' } }],
    [
      'a pattern that backtracks',
      { name: 'bad', inputSchema: { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } } },
    ],
    ['a schema that is too long', { name: 'bad', inputSchema: { ...schema, description: 'x'.repeat(40_000) } }],
    ['nesting without an end', { name: 'bad', inputSchema: nested(10_000) }],
    ['nesting elsewhere', { name: 'bad', inputSchema: schema, _meta: nested(10_000) }],
  ])('leaves out %s alone, with a line in the log', async (_what, faulty) => {
    const { list: own, log } = list();
    await own.take([tool('good'), faulty, tool('better')]);
    expect(namesOf(own)).toEqual(['good', 'better']);
    expect(log.lines.filter(({ message }) => message === 'tools of an MCP server are left out')).toHaveLength(1);
    expect(JSON.stringify(log.lines)).not.toContain('evil.example');
  });

  it('takes a recursive schema, and one of 2020-12', async () => {
    const { list: own } = list();
    const tree = {
      type: 'object',
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
      properties: { root: { $ref: '#/$defs/node' } },
    };
    await own.take([{ name: 'tree', inputSchema: tree }]);
    expect(own.tools[0]?.schema.check({ root: { next: { next: 3 } } })).toMatchObject({ ok: false });
    expect(own.tools[0]?.schema.check({ root: { next: { next: {} } } })).toMatchObject({ ok: true });
  });

  it('is the same while nothing has changed, and tells of a tool that has', async () => {
    const { list: own, log } = list();
    expect(await own.take([tool('pay', { description: 'Pays.' })])).toBe(true);
    const [before] = own.tools;
    expect(await own.take([tool('pay', { description: 'Pays.' })])).toBe(false);
    expect(own.tools[0]).toBe(before);
    expect(await own.take([tool('pay', { description: 'Pays me.' })])).toBe(true);
    expect(own.tools[0]?.fingerprint).not.toBe(before?.fingerprint);
    expect(JSON.stringify(log.lines)).toContain('what was approved of the former one does not hold');
  });

  it('bounds what users and models read', async () => {
    const { list: own } = list();
    await own.take([tool('a', { title: `T\n${'x'.repeat(500)}`, description: 'd'.repeat(10_000) })]);
    expect(own.tools[0]?.title).toMatch(/^T x{98}$/);
    expect(own.tools[0]?.description).toHaveLength(2_000);
  });
});

/** An object in an object, and so on. */
function nested(levels: number): object {
  let value: object = { type: 'object' };
  for (let level = 0; level < levels; level += 1) value = { type: 'object', properties: { a: value } };
  return value;
}
