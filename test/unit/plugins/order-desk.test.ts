import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { loadPlugins } from '../../../src/adapters/plugin-directory/load-plugins.ts';
import type { LoadedPlugin } from '../../../src/adapters/plugin-directory/loaded-plugin.ts';
import { checkCard } from '../../../src/core/cards/check-card.ts';
import type { ToolContext, ToolResult } from '../../../src/core/tools/tool.ts';
import { faultsOf, RecordingLog, toolContext, toolNamed } from '../adapters/plugin-directory/plugin-workbench.ts';

/** A copy of the shipped plugin, so that every test begins with the same orders. */
async function loadOrderDesk(block: object = {}): Promise<LoadedPlugin> {
  const folder = await mkdtemp(join(tmpdir(), 'helper-plugins-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(new URL('../../../plugins/order-desk', import.meta.url), join(folder, 'order-desk'), { recursive: true });
  const [plugin] = await loadPlugins({
    directories: [folder],
    configFile: join(folder, 'helper.yaml'),
    pluginOptions: { 'order-desk': block },
    appName: 'Shop',
    log: new RecordingLog(),
    overlook: (_code, message) => {
      throw new Error(message);
    },
  });
  if (plugin === undefined) throw new Error('the order desk was not found');
  await plugin.start();
  return plugin;
}

describe('the order desk, the shipped sample', () => {
  let desk: LoadedPlugin;
  let calls = 0;

  beforeEach(async () => {
    desk = await loadOrderDesk();
  });

  function call(name: string, values: object, context: Partial<ToolContext> = {}): Promise<ToolResult> {
    const tool = toolNamed(desk, name);
    const check = tool.checkArguments(values);
    if (!check.ok) throw new Error(check.faults.join('; '));
    calls += 1;
    return tool.execute(check.value, toolContext({ callId: `call-${calls}`, ...context }));
  }

  async function order(orderNumber: number): Promise<unknown> {
    return (await call('get_order', { orderNumber })).value;
  }

  it('loads as any plugin does, with its actions, policies and pages', () => {
    expect(desk.name).toBe('order-desk');
    expect(desk.tools.map((tool) => [tool.name, tool.readOnly, tool.requiresConfirmation, tool.requiredRoles])).toEqual(
      [
        ['list_orders', true, undefined, []],
        ['get_order', true, undefined, []],
        ['cancel_order', undefined, true, []],
        ['change_address', undefined, undefined, []],
        ['issue_refund', undefined, undefined, ['Supervisor']],
      ],
    );
    expect(desk.pages.map(({ name, url }) => [name, url])).toEqual([
      ['orders', '/'],
      ['order', '/?order={orderNumber}'],
    ]);
  });

  it('lists orders 1001 to 1012 in every state, with a card the server accepts', async () => {
    const { value, card } = await call('list_orders', {});
    const { orders } = value as { orders: { orderNumber: number; status: string }[] };
    expect(orders.map(({ orderNumber }) => orderNumber)).toEqual(
      Array.from({ length: 12 }, (_, index) => 1001 + index),
    );
    expect(new Set(orders.map(({ status }) => status))).toEqual(
      new Set(['open', 'packed', 'shipped', 'delivered', 'cancelled', 'refunded']),
    );
    expect(Object.keys(orders[1] ?? {})).toEqual([
      'orderNumber',
      'customer',
      'item',
      'status',
      'total',
      'address',
      'placedOn',
    ]);
    expect(orders[1]).toMatchObject({ orderNumber: 1002, status: 'open', total: '€189.00' });
    expect(checkCard(card, { images: [], links: [] }).ok).toBe(true);
  });

  it('lists the orders of one status', async () => {
    const { value } = await call('list_orders', { status: 'open' });
    expect(value).toMatchObject({ orders: [{ orderNumber: 1002 }, { orderNumber: 1005 }, { orderNumber: 1011 }] });
  });

  it('looks an order up, with a card; a number that does not exist is said so', async () => {
    const { value, card } = await call('get_order', { orderNumber: 1002 });
    expect(value).toMatchObject({ orderNumber: 1002, customer: 'Ben Okafor', total: '€189.00', refunded: '€0.00' });
    expect(checkCard(card, { images: [], links: [] }).ok).toBe(true);
    expect(JSON.stringify(card)).toContain('€189.00');
    await expect(call('get_order', { orderNumber: 4711 })).rejects.toThrow('There is no order 4711.');
  });

  it('shows amounts in the currency of pluginOptions.order-desk, and refuses one that is none', async () => {
    desk = await loadOrderDesk({ currency: 'GBP' });
    expect(JSON.stringify((await call('get_order', { orderNumber: 1002 })).card)).toContain('£189.00');
    const [fault] = await faultsOf(loadOrderDesk({ currency: 'pounds' }));
    expect(fault).toMatchObject({ path: 'pluginOptions.order-desk.currency' });
  });

  it('cancels an open order, by its number alone', async () => {
    expect((await call('cancel_order', { orderNumber: 1002 })).value).toMatchObject({
      orderNumber: 1002,
      status: 'cancelled',
    });
    expect(await order(1002)).toMatchObject({ status: 'cancelled' });
  });

  it.each([
    [1004, 'shipped'],
    [1001, 'delivered'],
    [1006, 'cancelled'],
    [1008, 'refunded'],
  ])('does not cancel order %i, and says that it is %s', async (orderNumber, status) => {
    const reason = `Order ${orderNumber} cannot be cancelled, because it is already ${status}.`;
    await expect(call('cancel_order', { orderNumber })).rejects.toThrow(reason);
    expect(await order(orderNumber)).toMatchObject({ status });
  });

  it('changes the address of an order that is still in the house, and of no other', async () => {
    const address = '1 New Street, London N1 1AA';
    expect((await call('change_address', { orderNumber: 1003, address })).value).toMatchObject({ address });
    await expect(call('change_address', { orderNumber: 1010, address })).rejects.toThrow('already shipped');
    await expect(async () => call('change_address', { orderNumber: 1003, address: 'x' })).rejects.toThrow(
      'address: must NOT',
    );
  });

  it('refunds in parts, never more than was paid, and shows what it is doing', async () => {
    const shown: string[] = [];
    const progress = (text: string): void => void shown.push(text);
    const first = await call('issue_refund', { orderNumber: 1001, amount: '€19.99' }, { progress });
    expect(first.value).toMatchObject({ status: 'delivered', refunded: '€19.99' });
    expect(shown).toEqual(['Refunding €19.99 for order 1001']);
    await expect(call('issue_refund', { orderNumber: 1001, amount: '€44.92' })).rejects.toThrow('only €44.91 left');
    expect((await call('issue_refund', { orderNumber: 1001, amount: '44.91' })).value).toMatchObject({
      status: 'refunded',
      refunded: '€64.90',
    });
    await expect(call('issue_refund', { orderNumber: 1002, amount: '€1' })).rejects.toThrow('Order 1002 is open');
  });

  it.each(['', '€', '-€1', '€1.005', '1e3', '1.2.3', 'all of it', '€0', '0.00'])(
    'refunds no amount such as %j',
    async (amount) => {
      await expect(async () => call('issue_refund', { orderNumber: 1001, amount })).rejects.toThrow(/amount/i);
      expect(await order(1001)).toMatchObject({ status: 'delivered', refunded: '€0.00' });
    },
  );

  it('refunds in no other currency than its own', async () => {
    await expect(call('issue_refund', { orderNumber: 1001, amount: '$5' })).rejects.toThrow('Amounts are in EUR');
    await call('issue_refund', { orderNumber: 1001, amount: 'EUR 5.00' });
    expect(await order(1001)).toMatchObject({ refunded: '€5.00' });
  });

  it('makes a change once, however often the same call is run', async () => {
    const same = { callId: 'call-again' };
    const first = await call('issue_refund', { orderNumber: 1004, amount: '€12' }, same);
    expect(await call('issue_refund', { orderNumber: 1004, amount: '€12' }, same)).toEqual(first);
    expect(await order(1004)).toMatchObject({ refunded: '€12.00' });
  });

  it('says every amount in one form: to the model, on cards and on the demo page', async () => {
    const results = [
      await call('list_orders', {}),
      await call('get_order', { orderNumber: 1002 }),
      await call('change_address', { orderNumber: 1002, address: '1 New Street, London N1 1AA' }),
      await call('cancel_order', { orderNumber: 1002 }),
    ];
    for (const { value, card } of results) {
      expect(JSON.stringify(value)).toContain('"€189.00"');
      expect(JSON.stringify(card)).toContain('"€189.00"');
      expect(checkCard(card, { images: [], links: [] }).ok).toBe(true);
    }
    expect(JSON.stringify([results, desk.demo?.rows()])).not.toMatch(/189(?!\.00)/);
    expect(desk.demo?.rows()).toContainEqual(expect.objectContaining({ orderNumber: 1002, total: '€189.00' }));
  });

  it('starts over with the orders of the first day, and still makes no change twice', async () => {
    const same = { callId: 'call-before' };
    await call('cancel_order', { orderNumber: 1002 }, same);
    desk.demo?.reset?.();
    expect(await order(1002)).toMatchObject({ status: 'open' });
    await call('cancel_order', { orderNumber: 1002 }, same);
    expect(await order(1002)).toMatchObject({ status: 'open' });
  });

  it('takes no argument it does not know', () => {
    expect(toolNamed(desk, 'cancel_order').checkArguments({ orderNumber: 1002, force: true })).toEqual({
      ok: false,
      faults: ['force: is not known'],
      brokenRules: expect.any(Array) as unknown,
    });
  });
});
