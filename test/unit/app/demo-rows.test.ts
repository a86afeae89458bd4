import { describe, expect, it } from 'vitest';
import { demoRows } from '../../../src/app/demo-rows.ts';

describe('the rows of a list on the demo page', () => {
  it('show the columns that are declared, in their order', () => {
    const columns = [
      { name: 'status', title: 'Status', tones: { open: 'info' } },
      { name: 'id', title: 'Number' },
    ] as const;
    expect(demoRows([{ id: 7, status: 'open', secret: 'x' }], columns)).toEqual({
      columns: [{ title: 'Status', tones: { open: 'info' } }, { title: 'Number' }],
      rows: [['open', 7]],
      total: 1,
    });
  });

  it('show every member when no column is declared, with its name in words', () => {
    const { columns, rows } = demoRows([{ orderNumber: 1 }, { orderNumber: 2, placed_on: '2026-11-02' }], []);
    expect(columns).toEqual([{ title: 'Order number' }, { title: 'Placed on' }]);
    expect(rows).toEqual([
      [1, null],
      [2, '2026-11-02'],
    ]);
  });

  it('show a value that is not plain as JSON, and a long one cut', () => {
    const row = { list: [1, 2], none: undefined, run: () => 1, yes: true, long: 'x'.repeat(1000) };
    const [cells = []] = demoRows([row], []).rows ?? [];
    expect(cells.slice(0, 4)).toEqual(['[1,2]', null, '', true]);
    expect(cells[4]).toBe(`${'x'.repeat(299)}…`);
  });

  it('are at most 200 with 12 columns, of however many there are', () => {
    const wide = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`c${String(index)}`, index]));
    const { columns, rows, total } = demoRows(
      Array.from({ length: 5000 }, () => wide),
      [],
    );
    expect(columns).toHaveLength(12);
    expect(rows).toHaveLength(200);
    expect(rows?.[0]).toHaveLength(12);
    expect(total).toBe(5000);
  });

  it.each([[undefined], [null], ['rows'], [{ rows: [] }], [[1]], [[null]], [[['a']]]])('are refused as %j', (given) => {
    expect(() => demoRows(given, [])).toThrow(TypeError);
  });
});
