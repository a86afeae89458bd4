import { describe, expect, it } from 'vitest';
import { findToolsName } from '../../../../src/core/tools/tool-name.ts';
import type { ToolContext } from '../../../../src/core/tools/tool.ts';
import { Toolbox } from '../../../../src/core/tools/toolbox.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { asking, toolFilter } from '../../../support/tool-choice.ts';

const tools = [
  fakeTool({ name: 'get_order', title: 'Look up an order', description: 'Returns one order.' }),
  fakeTool({ name: 'cancel_order', title: 'Cancel an order', description: 'Cancels an order that was not sent.' }),
  fakeTool({ name: 'get_invoice', title: 'Look up an invoice', description: 'Returns one invoice.' }),
  fakeTool({
    name: 'set_price',
    title: 'Set a price',
    description: 'Changes what a product costs.',
    examples: ['Make it cheaper'],
  }),
  fakeTool({ name: 'book_room', title: 'Book a room', description: 'Reserves a meeting room.' }),
  fakeTool({ name: 'pay_rent', title: 'Pay the rent', description: 'Pays the landlord.' }),
  fakeTool({ name: 'suche_artikel', title: 'Artikel suchen', description: 'Findet Artikel nach Bezeichnung.' }),
  fakeTool({ name: 'check_stock', title: '在庫を調べる', description: '商品の在庫数を返します。' }),
];
const toolbox = new Toolbox(tools);
const chosen = (text: string, more = {}, options = {}): Promise<readonly string[]> =>
  toolFilter(options).choose(toolbox, asking(text, more));

/** The result of a call of `find_tools`. */
async function found(query: string): Promise<string> {
  const offered = toolFilter().offering(toolbox, []).addTo(toolbox);
  const context = { signal: new AbortController().signal, user: {} } as ToolContext; // no other member is used
  const result = await offered.find(findToolsName)?.execute({ query }, context);
  return String(result?.value);
}

describe('the choice of tools (contract/tool-filter.md#choice)', () => {
  // proves service-11-04
  it('applies to a toolbox with more tools than toolFilterMaxTools, not counting those of the server and the page', () => {
    const three = tools.slice(0, 3);
    const others = [
      fakeTool({ name: 'page_scroll', source: 'page' }),
      fakeTool({ name: 'load_skill', source: 'built-in' }),
    ];
    expect(toolFilter({ maxTools: 3 }).appliesTo(new Toolbox([...three, ...others]))).toBe(false);
    expect(toolFilter({ maxTools: 2 }).appliesTo(new Toolbox([...three, ...others]))).toBe(true);
  });

  // proves service-11-05
  it('keeps those that share words with the message, at most toolFilterMaxTools, in their order', async () => {
    expect(await chosen('please cancel order 17', {}, { maxTools: 2 })).toEqual(['get_order', 'cancel_order']);
  });

  // proves service-11-05
  it('finds tools by their examples, by forms of a word and in scripts without spaces', async () => {
    expect((await chosen('cheaper please', {}, { maxTools: 1 }))[0]).toBe('set_price');
    expect((await chosen('show my invoices', {}, { maxTools: 1 }))[0]).toBe('get_invoice');
    expect((await chosen('Artikelsuche', {}, { maxTools: 1 }))[0]).toBe('suche_artikel');
    expect((await chosen('在庫はありますか', {}, { maxTools: 1 }))[0]).toBe('check_stock');
  });

  it('keeps nothing for a message that shares nothing with any tool', async () => {
    expect(await chosen('123')).toEqual([]);
  });

  // proves service-11-09
  it('goes by what was said before where the message says little, and by the message where it says more', async () => {
    const recent = ['What is on invoice 12?', 'It is over 300 euros.'];
    expect(await chosen('and the second one?', { recent }, { maxTools: 1 })).toEqual(['get_invoice']);
    expect(await chosen('book a room', { recent }, { maxTools: 1 })).toEqual(['book_room']);
  });

  // proves service-11-08
  it('keeps tools that the conversation has used, beside toolFilterMaxTools', async () => {
    const used = new Set(['pay_rent', 'made_up']);
    expect(await chosen('book a room', { used }, { maxTools: 1 })).toEqual(['book_room', 'pay_rent']);
  });

  // proves service-11-07
  it('declares the same set with the same array, tools of the server and of the page included', () => {
    const filter = toolFilter();
    const page = fakeTool({ name: 'page_scroll', source: 'page' });
    const joined = new Toolbox([...tools, page]);
    const once = filter.offering(joined, ['get_order']);
    const again = filter.offering(joined, ['get_order']);
    const full = once.addTo(joined);
    expect(again.addTo(joined)).toBe(full);
    const declared = once.declarations(full, []);
    expect(declared.map(({ name }) => name)).toEqual(['get_order', 'page_scroll', findToolsName]);
    expect(again.declarations(full, [])).toBe(declared);
    expect(filter.offering(joined, ['pay_rent']).declarations(full, [])).not.toBe(declared);
  });

  it('keeps the arrays of the last sets alone', () => {
    const filter = toolFilter();
    const many = new Toolbox(Array.from({ length: 100 }, (_, index) => fakeTool({ name: `tool_${String(index)}` })));
    const of = (index: number): unknown => filter.offering(many, [`tool_${String(index)}`]).declarations(many, []);
    const [first, second] = [of(0), of(1)];
    for (let index = 2; index < 65; index += 1) of(index);
    expect(of(1)).toBe(second);
    expect(of(0)).not.toBe(first);
  });

  it('declares all tools with the array of the toolbox itself', () => {
    const names = tools.map(({ name }) => name);
    expect(toolFilter().offering(toolbox, names).declarations(toolbox, [])).toBe(toolbox.declarations);
  });

  it('adds what was called or found in the meantime', () => {
    const offered = toolFilter().offering(toolbox, []);
    const full = offered.addTo(toolbox);
    const call = { id: '1', name: 'pay_rent', arguments: '{}' };
    const listed = 'You can call these tools now:\n- book_room: Reserves a meeting room.\n- made_up: Nothing.';
    const declared = offered.declarations(full, [
      { role: 'assistant', text: '', toolCalls: [call] },
      { role: 'tool', callId: '2', name: findToolsName, text: `[succeeded] ${listed}` },
      { role: 'tool', callId: '3', name: 'get_invoice', text: '- get_order: not a result of find_tools' },
    ]);
    expect(declared.map(({ name }) => name)).toEqual(['book_room', 'pay_rent', findToolsName]);
  });
});

describe('find_tools (contract/tool-filter.md#finding-others)', () => {
  // proves service-11-13
  it('names tools that fit with their descriptions, and at most eight', async () => {
    expect(await found('cancel an order')).toMatch(/^You can call these tools now:\n- cancel_order: Cancels an order/);
    const many = Array.from({ length: 20 }, (_, index) =>
      fakeTool({ name: `close_${String(index)}`, description: `Closes a case.\n${'x'.repeat(9_000)}` }),
    );
    const box = new Toolbox(many);
    const context = { signal: new AbortController().signal, user: {} } as ToolContext; // no other member is used
    const result = await toolFilter()
      .offering(box, [])
      .addTo(box)
      .find(findToolsName)
      ?.execute({ query: 'close' }, context);
    const lines = String(result?.value).split('\n');
    expect(lines).toHaveLength(9);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(400);
  });

  it('says so when nothing fits', async () => {
    expect(await found('zzz')).toMatch(/^No tool fits these words/);
  });

  // proves service-11-12
  it('takes a query of words alone', () => {
    const tool = toolFilter().offering(toolbox, []).addTo(toolbox).find(findToolsName);
    expect(tool?.checkArguments({ query: '  ' })).toMatchObject({ ok: false });
    expect(tool?.checkArguments('orders')).toMatchObject({ ok: false });
    expect(tool?.checkArguments({ query: 'x'.repeat(900) })).toEqual({ ok: true, value: { query: 'x'.repeat(500) } });
    expect(tool).toMatchObject({ source: 'built-in', readOnly: true });
  });
});
