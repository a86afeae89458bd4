import { describe, expect, it } from 'vitest';
import { ToolNames } from '../../../../src/adapters/mcp-client/tool-names.ts';

const of = (server: string, ...tools: readonly string[]): readonly { server: string; tool: string }[] =>
  tools.map((tool) => ({ server, tool }));
const namesOf = (names: ToolNames, wanted: Parameters<ToolNames['name']>[0], ...taken: readonly string[]) => [
  ...names.name(wanted, new Set(taken)).values(),
];

describe('names of tools of MCP servers (contract/mcp-servers.md#tools)', () => {
  // proves service-2.16-43
  it('stay as they are where they are valid and free', () => {
    expect(namesOf(new ToolNames(), of('erp', 'find', 'pay_bill'))).toEqual(['find', 'pay_bill']);
  });

  // proves service-2.16-43
  it('get the server before them where they are taken, reserved or not valid', () => {
    const wanted = of('ERP-2', 'find', 'remember', 'page_x', 'Get Item!', 'ünï');
    expect(namesOf(new ToolNames(), wanted, 'find')).toEqual([
      'erp_2__find',
      'erp_2__remember',
      'erp_2__page_x',
      'erp_2__get_item_',
      'erp_2___n_',
    ]);
  });

  // proves service-2.16-43
  it('are numbered where that is taken too, and never longer than names may be', () => {
    const long = 'X'.repeat(100);
    const names = namesOf(new ToolNames(), [...of('erp', 'a b', 'a-b', 'a.b'), ...of('erp', long, `${long}y`)]);
    expect(names.slice(0, 3)).toEqual(['erp__a_b', 'erp__a_b_2', 'erp__a_b_3']);
    expect(names.every((name) => name.length <= 64)).toBe(true);
    expect(new Set(names).size).toBe(names.length);
  });

  it('do not begin like those of pages, whatever the server is called', () => {
    expect(namesOf(new ToolNames(), of('page_one', 'Find It'))).toEqual(['mcp_page_one__find_it']);
  });

  // proves service-2.16-43
  it('stay with their tool when another server comes, and give way to an action', () => {
    const names = new ToolNames();
    const [first, second] = [of('a', 'find'), of('b', 'find')];
    expect(namesOf(names, second)).toEqual(['find']);
    expect(
      Object.fromEntries([...names.name([...first, ...second], new Set())].map(([{ server }, name]) => [server, name])),
    ).toEqual({
      a: 'a__find',
      b: 'find',
    });
    expect(namesOf(names, second, 'find')).toEqual(['b__find']);
  });

  it('are so many at most in one process: names are labels of metrics', () => {
    const names = new ToolNames();
    let given = 0;
    for (let round = 0; round < 30; round += 1) {
      const wanted = of('erp', ...Array.from({ length: 100 }, (_, index) => `t${String(round)}_${String(index)}`));
      given += names.name(wanted, new Set()).size;
    }
    expect(given).toBe(2_000);
  });

  it('of a server that one agent has for itself begin with both, and do not depend on others', () => {
    const own = (server: string) => [{ server, tool: 'find', isOwn: true }];
    const named = (server: string, ...taken: readonly string[]) => namesOf(new ToolNames(), own(server), ...taken)[0];
    expect(named('Buyer/erp')).toBe('buyer_erp__find');
    expect(named('Buyer/erp', 'find')).toBe('buyer_erp__find');
    const long = 'A name that is rather long for an agent';
    const names = [`${long} 1/erp`, `${long} 2/erp`, '你好/erp', '世界/erp'].map((server) => named(server));
    expect(new Set(names).size).toBe(4);
    for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9_]*__find$/);
  });
});
