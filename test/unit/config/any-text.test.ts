import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { helperSchema } from '../../../src/config/schema/helper.schema.ts';
import { keysOf } from '../../../src/config/schema/setting-schema.ts';
import { loadText, minimal } from './load-from-text.ts';

const pieces = [
  '{',
  '}',
  '[',
  ']',
  ': ',
  '- ',
  '\n',
  '  ',
  '"',
  "'",
  '&a ',
  '*a',
  '|',
  '#',
  '!!x ',
  '---\n',
  '${',
  '}',
  'a',
  '0',
  '\t',
  '? ',
];

describe('any text as a configuration (contract/configuration.md#faults)', () => {
  it('is loaded or refused with faults, never anything else', () => {
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.boolean(), (lines, afterMinimal) => {
        const { settings, faults } = loadText(afterMinimal ? minimal + lines : lines);
        expect(settings === undefined).toBe(faults.length > 0);
      }),
      { numRuns: 200 },
    );
  });

  it('names the key of whatever value does not belong there', () => {
    const keys = keysOf(helperSchema);
    fc.assert(
      fc.property(fc.constantFrom(...keys), fc.jsonValue({ maxDepth: 3 }), (key, value) => {
        const { faults } = loadText(
          stringify({ appName: 'Desk', chatClient: 'demo', models: {}, actions: 'none', [key]: value }),
        );
        for (const fault of faults) expect(fault.path).not.toBe('');
      }),
      { numRuns: 200 },
    );
  });
});
