import { fullFormats } from 'ajv-formats/dist/formats.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { patternFault } from '../../../src/adapters/shared/patterns/pattern-fault.ts';
import { casesOf } from '../../support/run/tier.ts';
import { flatPattern, opened } from '../../../src/adapters/shared/patterns/pattern-text.ts';

const inSchema = { takesMaxLength: true };

interface Repetition {
  readonly of: string;
  readonly least: number;
  readonly most: number;
}

/** The repetitions of a pattern such as `a{0,5}b{1,2}`. */
function repetitionsOf(pattern: string): readonly Repetition[] {
  return Array.from(pattern.matchAll(/(\w)\{(\d+),(\d+)\}/gu), ([, of = '', least, most]) => ({
    ...{ of, least: Number(least), most: Number(most) },
  }));
}

/** How often a backtracking engine compares a character where it tries these repetitions and then an `x` on the beginning of a text. */
function stepsOf(text: string, repetitions: readonly Repetition[], from = 0): number {
  const [first, ...rest] = repetitions;
  if (first === undefined) return 1;
  let run = 0;
  while (run < first.most && text[from + run] === first.of) run += 1;
  let steps = run + 1;
  for (let taken = run; taken >= first.least; taken -= 1) steps += stepsOf(text, rest, from + taken);
  return steps;
}

describe('a pattern of somebody else (contract/plugins.md#plugins)', () => {
  it.each([
    ['a class', '^[A-Z]{3}$'],
    ['a name', '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$'],
    ['an address', '^https?://\\S+$'],
    ['a UUID', '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'],
    ['alternatives that differ', '^([01]\\d|2[0-3]):[0-5]\\d$'],
    ['a repeated group with an end of its own', '^([a-z]+\\.)+[a-z]+$'],
    ['a host name', '^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,63}$'],
    ['names in Unicode', "^\\p{L}{1,64}(?:[-' ]\\p{L}{1,64}){0,5}$"],
    ['look-aheads', '^(?=.*[A-Z])(?=.*\\d).{8,64}$'],
    [
      "Zod's mail addresses",
      "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$",
    ],
    ['a bounded search for mail addresses', '[\\w.+-]{1,64}@[\\w-]{1,63}\\.[\\w.-]{1,63}'],
    ['a card number', '\\b\\d{4}[ -]?\\d{4}[ -]?\\d{4}[ -]?\\d{4}\\b'],
  ])('is taken: %s', async (_title, pattern) => {
    expect(await patternFault(pattern, inSchema)).toBeUndefined();
  });

  it.each([
    ['a repetition in a repetition', '^(a+)+$'],
    ['alternatives that are the same', '^(a|a)*b$'],
    ['alternatives that overlap', '^(a|ab|b)*c$'],
    ['words with an end that may be missing', '^(\\w+\\s?)*$'],
    ['a bounded repetition in a bounded one', '(a{0,50}){50}$'],
    ['characters that may be missing, many times', '^(?:.?){40}b$'],
    ['many ways to share a text that is too long for all of them', '^(?:[^]{0,17}){16}$'],
    ['a look-ahead', '^(?=(a+)+b)a'],
    ['a look-behind in the middle', '^a(?<!(a+)+b)(b+)+c'],
  ])('is refused without regard to the length of the text: %s', async (_title, pattern) => {
    expect(await patternFault(pattern, { ...inSchema, maxLength: 100 })).toContain('can backtrack without bound');
  });

  it('is refused where its time grows with a power of the text, unless maxLength keeps it short', async () => {
    const mail = '^[^@]+@[^@]+\\.[^@]+$';
    expect(await patternFault(mail, inSchema)).toContain('give it a maxLength of at most 3162');
    expect(await patternFault(mail, { ...inSchema, maxLength: 4_000 })).toContain('with the square of the text');
    expect(await patternFault(mail, { ...inSchema, maxLength: 3_162 })).toBeUndefined();
  });

  const manySteps = [
    ['a long text in front of its end', '.{50000}x'],
    ['one that may be short', 'a{0,50}b{20000}c'],
    ['choices in front of a long text', '.{0,99}a{400}b'],
    ['a long text behind an open repetition', '^a*.{50000}x'],
    ['a text of a page in front of its end', '.{4096}x'],
    ['a long alternative', '(?:.{4096}|b)x'],
    ['a group that comes often', '(?:abcdefghij){21}x'],
    ['signs that may be left out together with what follows them', '-?\\d?'.repeat(40) + 'x'],
    ['letters of no Latin script that may be left out', '[а-я]?'.repeat(40) + 'x'],
    ['short repetitions of the same characters', 'a{0,5}'.repeat(5) + 'x'],
    ['a short and a long repetition of the same characters', 'a{0,3}a{0,124}x'],
  ] as const;
  const isShort = (_: unknown, index: number): boolean => index % 4 === 0;
  // proves configuration-2-94
  it.each(casesOf('patterns that take many steps from each place', manySteps, isShort))(
    'is refused where each place of a long text takes many steps: %s',
    async (_title, pattern) => {
      expect(await patternFault(pattern, { takesMaxLength: false })).toContain('can backtrack without bound');
      expect(await patternFault(pattern, { ...inSchema, maxLength: 200 })).toBeUndefined();
    },
  );

  // proves configuration-2-94
  it.each([
    ['a token behind a word that it cannot contain', 'Bearer [\\w.-]{20,2000}'],
    ['a key between lines that it cannot contain', '-----BEGIN[^-]{1,4000}-----END'],
    ['a group that comes a few times', '(?:\\d{1,3}\\.){3}\\d{1,3}'],
    ['a telephone number', '\\+?\\d{1,3}[ -]?\\d{2,4}[ -]?\\d{2,4}[ -]?\\d{2,4}'],
  ])('is taken where a long repetition is tried from few places: %s', async (_title, pattern) => {
    expect(await patternFault(pattern, { takesMaxLength: false })).toBeUndefined();
  });

  // proves configuration-2-94
  it.each([
    ['a{0,150}b{0,40}', true],
    ['a{0,190}', true],
    ['a{1,60}b{1,60}', true],
    ['a{0,4096}', false],
    ['a{0,3}a{0,300}', false],
    ['a{0,100}a{0,90}', false],
  ])('is taken where an engine compares less than 1,000 characters from each place: %s', async (pattern, isTaken) => {
    const texts = ['a'.repeat(5_000), 'b'.repeat(5_000), 'a'.repeat(150) + 'b'.repeat(450)];
    const steps = Math.max(...texts.map((text) => stepsOf(text, repetitionsOf(pattern))));
    const fault = await patternFault(`${pattern}x`, { takesMaxLength: false });
    expect([fault === undefined, steps < 1_000]).toEqual([isTaken, isTaken]);
  });

  it('is taken with a long text from one place', async () => {
    expect(await patternFault('^.{50000}x', inSchema)).toBeUndefined();
    expect(await patternFault('^(?=.{50000}x)[ab]{1,50000}', inSchema)).toBeUndefined();
  });

  it('is refused in a rule of the configuration, whose texts have no maxLength', async () => {
    const fault = await patternFault('[\\w.+-]+@[\\w-]+', { takesMaxLength: false });
    expect(fault).toContain('bound its repetitions, such as {1,64} for +');
    expect(fault).not.toContain('maxLength');
  });

  it('is quoted no longer than a line', async () => {
    const fault = await patternFault(`^(a+)+${'b'.repeat(500)}$`, inSchema);
    expect(fault?.length).toBeLessThan(350);
  });
});

describe('the text of a pattern', () => {
  it.each([
    ['^[a-z]{2,5}x?$', { isAnchored: true, ways: 8, open: 0, length: 10, steps: 23 }],
    ['[\\w.-]{1,64}@a\\.example', { isAnchored: false, ways: 64, open: 0, length: 75, steps: 705 }],
    ['.{0,99}a{400}b', { ways: 100, length: 502, steps: 40_300 }],
    ['\\d{1,3}[ -]?\\d{2,4}', { ways: 9, steps: 25 }],
    ['a{1,3}a?a{2,4}', { ways: 18 }],
    ['a+[+*]{3}\\+', { isAnchored: false, ways: 1, open: 1 }],
    ['\\p{Lu}{2,}\\u{1F600}', { open: 1, ways: 1 }],
    ['[\\]{2,3}]+?', { open: 1, ways: 1 }],
    ['^(a{1,2})(?<b>\\.b)?(?:c?){0,1}$', { isAnchored: true, ways: 16, open: 0, length: 9 }],
  ])('is read as one sequence: %s', (pattern, expected) => {
    expect(flatPattern(pattern)).toMatchObject(expected);
  });

  it.each(['(a)+', 'a|b', 'a(?:b){2}', '(?=a)', '(?<!a)b', '(a)\\1', '(?<a>a)\\k<a>'])(
    'is no sequence: %s',
    (pattern) => {
      expect(flatPattern(pattern)).toBeUndefined();
    },
  );

  it('has no long repetition of a character left when it was opened, and matches no less', () => {
    expect(opened('[a-z]{0,61}x{1,20}?(?:b{3,30}){2,40}[{5,50}]', 16)).toBe('[a-z]*x+?(?:b{2,}){2,40}[{5,50}]');
    fc.assert(
      fc.property(
        fc.nat(20),
        fc.nat(20),
        fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 30 }),
        (least, more, text) => {
          const pattern = `^a{${String(least)},${String(least + more)}}b$`;
          const opener = new RegExp(opened(pattern, 5), 'u');
          return !new RegExp(pattern, 'u').test(text) || opener.test(text);
        },
      ),
    );
  });
});

describe('the formats of texts in schemas (contract/mcp-servers.md#limits)', () => {
  // proves service-2.16-91
  it('cost no more than their length, but for that of an address, which linear-formats.ts replaces', async () => {
    // The checker is not sure of this one: it guesses, and what it guesses depends on its luck. It can prove the costly ones.
    const guessed = ['uri-reference'];
    const costly = ['duration', 'hostname'];
    const patterns = Object.entries(fullFormats).filter(
      (entry): entry is [string, RegExp] => entry[1] instanceof RegExp && !guessed.includes(entry[0]),
    );
    const played = casesOf('formats of texts in schemas', patterns, ([name]) => !costly.includes(name));
    const faults = await Promise.all(
      played.map(async ([name, { source }]) => ({ name, fault: await patternFault(source, inSchema) })),
    );
    expect(faults.flatMap(({ name, fault }) => (fault === undefined ? [] : [name]))).toEqual(['url']);
  });
});
