import { describe, expect, it } from 'vitest';
import { exceptionMapper } from '../../../../src/core/tools/exception-rules.ts';
import { globPredicate, matchesGlob } from '../../../../src/core/base/glob.ts';
import { toolResultTransform } from '../../../../src/core/tools/result-rules.ts';

describe('tool-name globs (contract/errors.md#faults-of-actions)', () => {
  it.each([
    ['get_*', 'get_order', true],
    ['get_*', 'forget_me', false],
    ['*', 'anything', true],
    ['case_?', 'case_1', true],
    ['case_?', 'case_12', false],
    ['a.c', 'abc', false],
    ['(x)+', 'xx', false],
  ])('%s against %s', (pattern, name, matches) => {
    expect(matchesGlob(pattern, name)).toBe(matches);
    expect(globPredicate([pattern])(name)).toBe(matches);
  });
});

describe('onToolResult in YAML (contract/errors.md#faults-of-actions)', () => {
  const orders = { orders: [{ id: 1, card: { number: '4111', name: 'Ann' } }], total: 1 };

  it.each([
    ['removes what a pointer names', ['/total'], { orders: orders.orders }],
    [
      'reaches every element with *',
      ['/orders/*/card/number'],
      { orders: [{ id: 1, card: { name: 'Ann' } }], total: 1 },
    ],
    ['removes an element by its index', ['/orders/0'], { orders: [], total: 1 }],
    ['leaves alone what is not there', ['/nothing/here'], orders],
  ])('%s', (_title, remove, expected) => {
    expect(toolResultTransform({ tool: '*', remove })('list_orders', orders)).toEqual(expected);
  });

  it('decodes ~1 and ~0 (RFC 6901)', () => {
    expect(toolResultTransform({ tool: '*', remove: ['/a~1b', '/c~0d'] })('x', { 'a/b': 1, 'c~d': 2, e: 3 })).toEqual({
      e: 3,
    });
  });

  // proves service-2.8-01
  it('replaces patterns in every text, however deep', () => {
    const rule = { tool: 'get_*', replace: [{ pattern: '\\b\\d{4}\\b', with: '****' }] };
    expect(toolResultTransform(rule)('get_card', { list: ['no 4111', { deep: 'pin 1234' }], count: 4111 })).toEqual({
      list: ['no ****', { deep: 'pin ****' }],
      count: 4111,
    });
  });

  it('touches matching tools only, and never the original', () => {
    const rule = toolResultTransform({ tool: 'get_*', remove: ['/total'] });
    expect(rule('list_orders', orders)).toBe(orders);
    rule('get_orders', orders);
    expect(orders.total).toBe(1);
  });
});

describe('onException in YAML (contract/errors.md#faults-of-actions)', () => {
  it('lets the first rule speak whose tool and error match', async () => {
    const mapper = exceptionMapper([
      { tool: 'get_*', error: 'timeout|ETIMEDOUT', message: 'Too slow.' },
      { tool: '*', message: 'Broken.' },
    ]);
    expect(await mapper(new Error('ETIMEDOUT'), 'get_order')).toBe('Too slow.');
    expect(await mapper(new Error('other'), 'get_order')).toBe('Broken.');
    expect(await exceptionMapper([])(new Error('x'), 'y')).toBeNull();
  });
});
