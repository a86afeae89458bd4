import { describe, expect, it } from 'vitest';
import { ask } from '../support/ask.ts';
import { calling, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';

const plugin = `
import { defineAction, definePlugin, navigate } from 'helper';
export default definePlugin({
  name: 'pages',
  pages: [
    { name: 'orders', title: 'Orders', url: '/orders', description: 'All orders.' },
    { name: 'order', title: 'Order', url: '/orders/{id}', description: 'An order.', query: ['tab'] },
    { name: 'search', title: 'Search', url: '/s?q={q}&sort=asc#{part}', description: 'Finds orders.' },
  ],
  actions: [defineAction({
    name: 'open_order', description: 'Opens.', readOnly: true, parameters: { type: 'object', properties: {} },
    execute: () => navigate('order', { id: 7, from: 'mail' }),
  })],
});`;

/** The addresses to which a turn has sent its user, and what the model was told of the call. */
async function sentBy(call: { readonly name: string; readonly arguments: object }) {
  const { url, model } = await scriptedServer({ scripts: [calling(call), saying('Done.')], plugin });
  const { body } = await ask(url, 'POST /helper/chat', {
    headers: { 'content-type': 'application/json' },
    body: { message: 'Go there.' },
  });
  const addresses = [...body.matchAll(/event: navigat\w*\ndata: (.*)/g)].map(
    ([, data = '{}']) => (JSON.parse(data) as { readonly url: string }).url,
  );
  return { addresses, told: JSON.stringify(model.requests[1]?.body['messages']) };
}

const navigating = (page: string, params?: object) =>
  sentBy({ name: 'navigate_to_page', arguments: { page, ...(params === undefined ? {} : { params }) } });

describe('navigate_to_page (contract/plugins.md#results)', () => {
  // proves extending-1-51
  it.each<[string, object | undefined, string]>([
    ['orders', undefined, '/orders'],
    ['order', { id: 1 }, '/orders/1'],
    ['order', { id: 'a/b', tab: 'items' }, '/orders/a%2Fb?tab=items'],
    ['search', { q: 'a&b', part: 'x' }, '/s?q=a%26b&sort=asc#x'],
  ])('fills what the page declares: %s %j', async (page, params, address) => {
    expect((await navigating(page, params)).addresses).toEqual([address]);
  });

  // proves extending-1-51
  it.each<[string, object]>([
    ['orders', { returnUrl: 'https://evil.example' }],
    ['order', { id: 1, returnUrl: 'https://evil.example', admin: true }],
    ['order', { id: 1, TAB: 'items' }],
    ['search', { q: 'a', part: 'x', sort: 'desc' }],
    ['search', { q: 'a', part: 'x', constructor: 'y' }],
  ])('adds nothing else to an address, and says what the page takes: %s %j', async (page, params) => {
    const { addresses, told } = await navigating(page, params);
    expect(addresses).toEqual([]);
    expect(told).toMatch(/takes (no parameters|only )/);
  });

  // proves extending-1-51
  it('leaves to an action what it adds itself', async () => {
    expect((await sentBy({ name: 'open_order', arguments: {} })).addresses).toEqual(['/orders/7?from=mail']);
  });
});
