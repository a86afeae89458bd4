import { describe, expect, it } from 'vitest';
import { resolvePageUrl } from '../../../../src/core/pages/resolve-page-url.ts';

describe('resolvePageUrl (contract/plugins.md#plugins)', () => {
  it.each([
    ['fills placeholders, encoded', '/orders/{id}', { id: 'a b/c?d' }, '/orders/a%20b%2Fc%3Fd'],
    ['makes the rest the query', '/orders/{id}', { id: 7, tab: 'items', open: true }, '/orders/7?tab=items&open=true'],
    ['joins an existing query', '/list?sort=asc', { page: 2 }, '/list?sort=asc&page=2'],
    ['keeps the fragment last', '/list#top', { page: 2 }, '/list?page=2#top'],
    ['leaves out what is null', '/list', { page: null }, '/list'],
    ['takes https addresses', 'https://shop.example/{id}', { id: 1 }, 'https://shop.example/1'],
  ])('%s', (_title, url, params, expected) => {
    expect(resolvePageUrl(url, params)).toEqual({ ok: true, url: expected });
  });

  it.each([
    ['a missing placeholder', '/orders/{id}', {}],
    ['..', '/orders/{id}/edit', { id: '..' }],
    ['.', '/orders/{id}/edit', { id: '.' }],
    ['an empty text, which would leave // and so another site', '/{section}/{id}', { section: '', id: 'evil.example' }],
    ['a text that cannot be encoded', '/orders/{id}', { id: '\ud800' }],
    ['an object', '/orders/{id}', { id: {} }],
    ['an object in the query', '/orders', { id: {} }],
  ])('refuses %s', (_title, url, params) => {
    expect(resolvePageUrl(url, params).ok).toBe(false);
  });
});
