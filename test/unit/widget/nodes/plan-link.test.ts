import { describe, expect, it } from 'vitest';
import { type LinkRules, planLink } from '../../../../src/widget/nodes/plan-link.ts';
import { outline } from '../markdown/plan-text.ts';

const page = 'http://localhost:8080';
const rules: LinkRules = { page };

/** The words of the link, or null where there is none. */
function shown(address: string, words: string, given: LinkRules | undefined = rules): string | null {
  const plan = planLink(address, [words], given);
  return plan === null ? null : outline(plan).replace(/<[^>]*>/g, '');
}

describe('links of replies and cards (contract/widget.md#links)', () => {
  // proves wire-9-80
  it.each([
    ['other words', 'https://x.example/a', 'our help', 'our help (x.example)'],
    ['the host', 'https://x.example/a', 'x.example', 'x.example'],
    ['the host in capitals', 'https://X.Example/a', 'X.example/b', 'X.example/b'],
    ['the address', 'https://x.example:8443/a', 'https://x.example:8443/a', 'https://x.example:8443/a'],
    ['another port', 'https://x.example:8443/a', 'https://x.example/a', 'https://x.example/a (x.example:8443)'],
    ['the host and more words', 'https://x.example/', 'x.example is safe', 'x.example is safe (x.example)'],
    ['a host that begins with it', 'https://x.example/', 'x.example.org', 'x.example.org (x.example)'],
    ['a host that ends with it', 'https://x.example/', 'bank.x.example', 'bank.x.example (x.example)'],
    [
      'a user before it',
      'https://bank.org@x.example/',
      'https://bank.org@x.example/',
      'https://bank.org@x.example/ (x.example)',
    ],
    ['a password before it', 'https://bank.org:443@x.example/', 'bank.org:443', 'bank.org:443 (x.example)'],
    ['letters that look like it', 'https://xn--xmple-4ve.org/', 'exаmple.org', 'exаmple.org (xn--xmple-4ve.org)'],
    [
      'its letters in Unicode',
      'https://münchen.example/',
      'münchen.example',
      'münchen.example (xn--mnchen-3ya.example)',
    ],
    ['a character of no width', 'https://x.example/', 'x.example\u200b', 'x.example\u200b (x.example)'],
    ['a mark that turns it round', 'https://x.example/', '\u202eelpmaxe.x', '\u202eelpmaxe.x (x.example)'],
    ['no words', 'https://x.example/', '', ' (x.example)'],
  ])('over https show the host beside %s, unless the words begin with it', (_title, address, words, expected) => {
    expect(shown(address, words)).toBe(expected);
  });

  // proves wire-9-82
  it.each([
    ['a relative one', '/orders?a=b#c'],
    ['a query', '?a=b'],
    ['mail', 'mailto:a@x.example'],
    ['the page’s own origin', `${page}/orders`],
  ])('always lead to %s, and show no host', (_title, address) => {
    for (const hosts of [undefined, '^(?:x\\.example)$'])
      expect(shown(address, 'words', { page, hosts })).toBe('words');
  });

  // proves wire-7-12
  it.each([
    '/helper/chat?message=x',
    'chat?message=x',
    '../helper/chat',
    '/helper',
    '/helper/',
    '/helper/%63hat',
    '/helper%2Fchat',
    '/x%2F..%2Fhelper/chat',
    '//helper/chat',
    '/Helper/Chat',
    '/helper-hub?id=x',
    'https://shop.example/helper/chat',
    'http://shop.example/helper/chat',
    'https://ann@shop.example/helper/chat',
  ])('lead to no endpoint of the server: %s', (address) => {
    const given = { page: 'https://shop.example', base: 'https://shop.example/helper/embed' };
    const endpoints = ['https://shop.example/helper', 'https://shop.example/helper-hub'];
    expect(shown(address, 'words', { ...given, endpoints, cited: [address] })).toBeNull();
  });

  // proves wire-7-12
  it.each([
    '/helpers',
    '/help',
    '/a/helper/chat',
    '/helper-hubs',
    '/?next=/helper/chat',
    '/%zz',
    'mailto:helper/chat@x.example',
  ])('lead to what is only named like one: %s', (address) => {
    const given = { page: 'https://shop.example', base: 'https://shop.example/' };
    const endpoints = ['https://shop.example/helper', 'https://shop.example/helper-hub'];
    expect(shown(address, 'words', { ...given, endpoints })).toBe('words');
  });

  // proves wire-9-82
  it.each([
    'http://x.example/',
    'http://localhost:8081/',
    'https://',
    'https://x y.example/',
    'ftp://x.example/',
    '//x.example/',
  ])('are text where the address is %j', (address) => {
    expect(shown(address, 'words')).toBeNull();
  });

  // proves wire-9-81
  it('lead to listed hosts alone, and to cited documents whatever their host', () => {
    const given: LinkRules = {
      page,
      hosts: '^(?:.*\\.x\\.example|y\\.example:8443)$',
      cited: ['https://z.example/a', undefined],
    };
    const leads = (address: string): boolean => shown(address, 'words', given) !== null;
    expect(
      ['https://a.x.example/', 'https://a.b.x.example/', 'https://y.example:8443/', 'https://z.example/a'].filter(
        leads,
      ),
    ).toHaveLength(4);
    expect(
      [
        'https://x.example/',
        'https://a.x.example:8443/',
        'https://y.example/',
        'https://y.example.evil.org:8443/',
        'https://a.x.example@evil.org/',
        'https://evil.org/a.x.example',
        'https://z.example/a?b',
        'https://z.example/',
      ].filter(leads),
    ).toEqual([]);
  });

  it('show no host where nobody sees them', () => {
    expect(planLink('https://x.example/', ['words'])?.children).toEqual(['words']);
  });

  // proves wire-9-80
  it('keep the direction of the host apart from that of the words', () => {
    const plan = planLink('https://x.example/', ['words'], rules);
    expect(plan && outline(plan)).toContain('<span dir="ltr">(x.example)</span>');
  });
});
