import { describe, expect, it } from 'vitest';
import { readableValue } from '../../../../src/widget/conversation/readable-value.ts';

const german = { yes: 'Ja', no: 'Nein', timeLocale: 'de' };

const shown = (value: unknown, format?: 'date' | 'date-time'): string =>
  readableValue(value, format === undefined ? {} : { format }, german)
    .map(({ text }) => text)
    .join('');

describe('a value of a question as people read it (contract/confirmations.md#words-of-a-question)', () => {
  // proves wire-5-36
  it.each([
    [true, 'Ja'],
    [false, 'Nein'],
    [1002345, '1002345'],
    [1234.5, '1.234,5'],
    [1e-20, '0,00000000000000000001'],
    ['', '""'],
    ['• a\n• b', '• a\\n• b'],
    [['a', 2, true], '• a\n• 2\n• Ja'],
    [['a\nb'], '• a\\nb'],
    [[], '[]'],
    [[['a']], '[\n  [\n    "a"\n  ]\n]'],
    [{ a: true }, '{\n  "a": true\n}'],
    [null, 'null'],
  ])('%j is %j', (value, expected) => {
    expect(shown(value)).toBe(expected);
  });

  // proves wire-5-36
  it('a day and a moment are written out where the schema says that they are', () => {
    expect(shown('2026-12-03', 'date')).toBe('Donnerstag, 3. Dezember 2026');
    expect(shown('2026-12-03')).toBe('2026-12-03');
    expect(shown('2026-02-31', 'date')).toBe('2026-02-31');
    expect(shown('soon', 'date-time')).toBe('soon');
    expect(shown('2026-12-03T10:00:00+01:00', 'date-time')).toContain('3. Dezember 2026');
  });
});
