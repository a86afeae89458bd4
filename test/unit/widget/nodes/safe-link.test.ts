import { describe, expect, it } from 'vitest';
import { linkAttributes, safeLink } from '../../../../src/widget/nodes/safe-link.ts';

describe('which addresses a click may follow', () => {
  it.each([
    'https://x.example/a?b=c#d',
    'http://x.example',
    'mailto:a@x.example',
    '/orders/1',
    'orders/1?a=b:c',
    '?order=1',
    '#part',
  ])('%s may', (address) => {
    expect(safeLink(address)).toBe(address);
  });

  it.each([
    '',
    '   ',
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///x',
    'tel:123',
    '//x.example',
    '/\\x.example',
    'java\nscript:alert(1)',
    'https://x.example/\u0000',
    '\u0001javascript:alert(1)',
  ])('%j may not', (address) => {
    expect(safeLink(address)).toBeNull();
  });

  it('a link tells the other side nothing and leaves the conversation open', () => {
    expect(linkAttributes('https://x.example')).toEqual({
      href: 'https://x.example',
      rel: 'noopener noreferrer nofollow',
      target: '_blank',
    });
    expect(linkAttributes('mailto:a@x.example')).not.toHaveProperty('target');
  });
});
