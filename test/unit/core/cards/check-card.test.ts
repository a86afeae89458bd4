import { describe, expect, it } from 'vitest';
import { checkCard } from '../../../../src/core/cards/check-card.ts';

const card = (...body: unknown[]) => ({ type: 'AdaptiveCard', version: '1.5', body });
const bodyOf = (value: unknown, hosts: string[] = []) => {
  const check = checkCard(value, { images: hosts, links: [] });
  return check.ok ? check.card['body'] : check.reason;
};

describe('checkCard (contract/cards.md)', () => {
  // proves wire-7-02
  it('keeps the known elements and drops the others, at any depth', () => {
    const text = { type: 'TextBlock', text: 'Hi' };
    expect(bodyOf(card(text, { type: 'Media' }, { type: 'Container', items: [text, { type: 'Evil' }] }))).toEqual([
      text,
      { type: 'Container', items: [text] },
    ]);
  });

  it('drops a single element where a list belongs: its addresses would go unchecked', () => {
    const image = { type: 'Image', url: 'https://evil.example/pixel.png' };
    expect(bodyOf(card({ type: 'Container', items: image }))).toEqual([{ type: 'Container' }]);
    expect(bodyOf({ ...card(), body: image })).toBeUndefined();
  });

  it('keeps table cells and columns that leave their type out', () => {
    const table = {
      type: 'Table',
      columns: [{ width: 1 }],
      rows: [{ cells: [{ items: [{ type: 'TextBlock', text: 'x' }] }] }],
    };
    expect(bodyOf(card(table))).toEqual([table]);
  });

  it.each([
    // proves wire-7-04
    ['relative', '/logo.png', true],
    // proves wire-7-04
    ['a listed host', 'https://img.example.com/a.png', true],
    // proves wire-7-04
    ['another host', 'https://other.example.com/a.png', false],
    ['http', 'http://img.example.com/a.png', false],
    ['protocol-relative', '//other.example.com/a.png', false],
    ['with a backslash', '/\\other.example.com/a.png', false],
    // proves wire-7-04
    ['data: png', 'data:image/png;base64,AAAA', true],
    // proves wire-7-04
    ['data: svg', 'data:image/svg+xml;base64,AAAA', false],
    ['javascript:', 'javascript:alert(1)', false],
  ])('an image that is %s', (_title, url, kept) => {
    const image = { type: 'Image', url };
    expect(bodyOf(card(image), ['img.example.com'])).toEqual(kept ? [image] : []);
  });

  it.each([
    // proves wire-7-06
    ['https://example.com', true],
    // proves wire-7-06
    ['mailto:a@example.com', true],
    // proves wire-7-06
    ['/orders', true],
    ['orders?x=1#y', true],
    ['http://example.com', false],
    // proves wire-7-06
    ['javascript:alert(1)', false],
    ['java\tscript:alert(1)', false],
    ['data:text/html,x', false],
  ])('OpenUrl %s', (url, kept) => {
    const check = checkCard(
      { type: 'AdaptiveCard', actions: [{ type: 'Action.OpenUrl', url }] },
      { images: [], links: [] },
    );
    expect(check.ok && check.card['actions']).toEqual(kept ? [{ type: 'Action.OpenUrl', url }] : []);
  });

  // proves wire-7-10
  it('turns links to hosts that are not listed into their titles, wherever they stand', () => {
    const link = (title: string, url: string) => ({ type: 'Action.OpenUrl', title, url });
    const kept = [
      link('Docs', 'https://docs.shop.example/'),
      link('Orders', '/orders'),
      link('Mail', 'mailto:a@x.example'),
    ];
    const other = [
      link('Elsewhere', 'https://evil.example/'),
      link('', 'https://evil.example/'),
      link('Code', 'javascript:1'),
    ];
    const text = { type: 'TextBlock', text: 'Elsewhere', wrap: true };
    const set = (actions: unknown[]) => ({ type: 'Container', items: [{ type: 'ActionSet', actions }] });
    const given = { type: 'AdaptiveCard', body: [set([...kept, ...other])], actions: [...other, ...kept] };
    expect(checkCard(given, { images: [], links: ['*.shop.example'] })).toEqual({
      ok: true,
      card: {
        type: 'AdaptiveCard',
        body: [{ type: 'Container', items: [{ type: 'ActionSet', actions: kept }, text] }, text],
        actions: kept,
      },
    });
    expect(checkCard({ type: 'AdaptiveCard', actions: other }, { images: [], links: ['x.example'] })).toEqual({
      ok: true,
      card: { type: 'AdaptiveCard', body: [text], actions: [] },
    });
  });

  it.each([
    ['what is no card', { type: 'TextBlock' }],
    ['a list', []],
    ['undefined', undefined],
    ['what is no JSON', { type: 'AdaptiveCard', count: 1n }],
    // proves wire-7-03
    ['more than 64 KiB', card({ type: 'TextBlock', text: 'x'.repeat(66_000) })],
    ['more than 64 KiB of letters that take two bytes each', card({ type: 'TextBlock', text: 'é'.repeat(33_000) })],
    // proves wire-7-03
    ['more than 300 elements', card(...Array.from({ length: 301 }, () => ({ type: 'TextBlock', text: 'x' })))],
    // proves wire-7-03
    ['more than 8 levels', card(nested(9))],
    [
      'data that is nested so deep that nobody can read it',
      { ...card(), actions: [{ type: 'Action.Submit', data: JSON.parse(`${'['.repeat(1000)}${']'.repeat(1000)}`) }] },
    ],
  ])('refuses %s', (_title, value) => {
    expect(checkCard(value, { images: [], links: [] }).ok).toBe(false);
  });
});

function nested(levels: number): unknown {
  return levels === 0 ? { type: 'TextBlock', text: 'x' } : { type: 'Container', items: [nested(levels - 1)] };
}
