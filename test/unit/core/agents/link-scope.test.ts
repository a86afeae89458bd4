import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInDomains, LinkScope } from '../../../../src/core/agents/hosted/link-scope.ts';
import { growth, mostGrowth } from '../../../support/growth.ts';

const inScope = (address: string): boolean => isInDomains(address, ['good.example']);

/** The shown text and the removed links of a reply that comes in these pieces. */
function shown(pieces: readonly string[]): { readonly text: string; readonly removed: readonly string[] } {
  const scope = new LinkScope(inScope);
  const text = pieces.map((piece) => scope.add(piece)).join('') + scope.end();
  return { text, removed: scope.removedHosts };
}

/** Splits a text into pieces of one character. */
function signs(text: string): readonly string[] {
  return Array.from(text);
}

describe('domains of hosted tools (contract/hosted-tools.md#domains)', () => {
  // proves service-2.17-40
  it.each([
    ['https://good.example/a', true],
    ['http://docs.good.example', true],
    ['https://good.example.:443/', true],
    ['https://notgood.example', false],
    ['https://good.example.evil.example', false],
    ['https://good.example@evil.example', false],
    ['www.good.example/x', true],
    ['//evil.example', false],
    ['nonsense', false],
  ])('knows whether an address is within them: %s', (address, isIn) => {
    expect(inScope(address)).toBe(isIn);
  });

  // proves service-2.17-42
  it.each([
    ['an address', 'See https://evil.example/a?b=c.', 'See  .'],
    ['an address of the scope', 'See https://good.example/a.', 'See https://good.example/a.'],
    ['a link', 'See [the page](https://evil.example/a).', 'See “the page”.'],
    ['a link of the scope', 'See [it](https://good.example/a "t").', 'See [it](https://good.example/a "t").'],
    ['a link with a title', 'See [it](https://evil.example "x").', 'See “it”.'],
    ['a citation', 'So it is ([evil.example](https://evil.example/a)).', 'So it is  .'],
    ['an address in brackets', 'So it is (https://evil.example/a).', 'So it is  .'],
    ['a picture', 'A ![cat](https://evil.example/cat.png) here', 'A   here'],
    ['an address in marks', 'See <https://evil.example>.', 'See  .'],
    ['an address without a scheme', 'See www.evil.example now', 'See   now'],
    ['a link without a scheme', 'See [it](//evil.example/a)', 'See “it”'],
    ['a link with one slash', 'See [it](https:evil.example)', 'See “it”'],
    ['a link with backslashes', 'See [it](https:\\\\evil.example)', 'See “it”'],
    ['a link with entities', 'See [it](&#104;ttps://evil.example)', 'See “it”'],
    ['a link with brackets in its title', 'See [[1]](https:evil.example)', 'See [[1]] '],
    ['a definition', '[1]: https://evil.example\n', '[1]: \n'],
    ['a definition without a scheme', '[1]: //evil.example\n', '[1]: \n'],
    ['an attribute', '<a href="https://evil.example">x</a>', '<a href=" ">x</a>'],
    ['an address in two halves', '[https:](//evil.example)//evil.example', '“https:”//evil.example'],
    ['an address around a picture', 'htt![x](//evil.example)ps://evil.example', 'htt ps://evil.example'],
    ['a link around an address', '[a]https://evil.example(//evil.example)', '[a] (//evil.example)'],
    [
      'a link into the application',
      'See [orders](/orders?id=1) and [top](#top)',
      'See [orders](/orders?id=1) and [top](#top)',
    ],
    ['plain brackets', 'f(x) [sic] w (www) h!', 'f(x) [sic] w (www) h!'],
  ])('takes what leads elsewhere out of a reply: %s', (_what, reply, expected) => {
    expect(shown([reply]).text).toBe(expected);
    expect(shown(signs(reply)).text).toBe(expected);
  });

  it('names the hosts that were taken out once each', () => {
    const { removed } = shown(['https://evil.example/a https://evil.example/b [x](//other.example)']);
    expect(removed).toEqual(['other.example', 'evil.example']);
  });

  // proves service-2.17-41
  it('never shows a piece of an address that is taken out later, however the reply is cut', () => {
    const part = fc.constantFrom(
      'text ',
      '[a](',
      'https://',
      'evil.example',
      ')',
      '[',
      ']',
      '(',
      '<',
      '>',
      ' ',
      '!',
      'www.',
      '\n',
      'https:',
      ':',
      '//',
      'https://good.example/ ',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const { text } = shown(parts);
        expect(text).toBe(shown(signs(parts.join(''))).text);
        expect(text).not.toMatch(/(?:https?:\/\/|www\.)evil|\]\((?:https:|\/\/)evil\.example\)/);
      }),
      { numRuns: 3000 },
    );
  });

  // proves service-2.17-41
  it.each([
    ['in pieces', (text: string) => signs(text)],
    ['in one piece', (text: string) => [text]],
  ])('leaves no address in a link because it is long, %s', (_how, cut) => {
    for (const scheme of ['https://', '//'])
      expect(shown(cut(`See [it](${scheme}evil.example/${'a'.repeat(3_000)}).`)).text).not.toContain('evil');
  });

  // Such a text once took minutes, in which the server answered nobody.
  // proves service-2.17-41
  it.each(['](x', '[a](h', '([a](b ', '(', '<', '![', 'https://', 'www.a', ']:  ', '](   ', '](a "b '])(
    'reads a reply of nothing but %j in little time',
    (unit) => {
      const pieces = (size: number) => shown(Array.from({ length: size / unit.length }, () => unit));
      expect(growth(5_000, pieces)).toBeLessThan(mostGrowth);
      expect(growth(12_500, (size) => shown([unit.repeat(size / unit.length)]))).toBeLessThan(mostGrowth);
    },
  );
});
