import { fullFormats } from 'ajv-formats/dist/formats.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isUrl } from '../../../../src/adapters/shared/patterns/linear-formats.ts';

const url = fullFormats.url as RegExp; // as ajv-formats has it; the check of schemas throws where it is not

describe('the formats of texts in schemas (contract/mcp-servers.md#limits)', () => {
  // proves service-2.16-91
  it('know an address as ajv-formats does', () => {
    const part = fc.constantFrom(
      ...[
        'http://',
        'HTTPS://',
        'ftp://',
        'a.example',
        'b-c.de',
        '10.0.0.1',
        '93.184.216.34',
        'localhost',
        'ü.example',
      ],
      ...['@', ':', ':8080', ':1', '/', '/x@y', '?q=a', '#', ' ', 'user', '.', '@@', '/@c.example', ''],
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 7 }), (parts) => {
        for (const text of [parts.join(''), `http://${parts.join('')}`])
          expect([text, isUrl(text, url)]).toEqual([text, url.test(text)]);
      }),
      { numRuns: 3_000 },
    );
    expect(isUrl(`http://${'a:'.repeat(500_000)}`, url)).toBe(false);
  });
});
