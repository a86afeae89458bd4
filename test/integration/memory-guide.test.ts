import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configurationWarnings } from '../../src/config/warnings.ts';
import { loadText } from '../unit/config/load-from-text.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/memory.md'), 'utf8');
const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(guide) ?? [];

describe('the guide of the memory (docs/guides)', () => {
  it('has an example that loads, and says what it does', () => {
    const { settings } = loadText(`appName: Desk\nactions: none\n${example}`, { environment: { OPENAI_API_KEY: 'k' } });
    expect(settings).toMatchObject({
      classifierChatClient: 'small',
      useMemoryContext: true,
      memoryRelevanceFiltering: true,
      memoryContextCount: 10,
      memoryAutoCapture: true,
      retention: { memory: 365 * 24 * 60 * 60 * 1000 },
    });
  });

  it.each([
    ['', []],
    [
      'endpoints: { transports: { requireAuthorization: true } }\nauth: { jwt: { secret: "x1234567890123456789012345678901" } }\n',
      [],
    ],
    ['anonymousIdentity: Shared\n', ['one memory that all of them share']],
  ])('says when the server warns of a memory that is open to anyone: %j', (lines, expected) => {
    const text = `appName: Desk\nactions: none\n${lines}${example}`;
    const { settings } = loadText(text, { environment: { OPENAI_API_KEY: 'k' } });
    if (settings === undefined) throw new Error('the example has faults');
    const warned = configurationWarnings(settings, {}).filter(({ code }) => code === 'HLP1050');
    const isOpen = !lines.includes('requireAuthorization');
    expect(warned).toHaveLength(isOpen ? 1 : 0);
    for (const words of expected) expect(warned[0]?.message).toContain(words);
    const off = configurationWarnings({ ...settings, useMemoryContext: false }, {});
    expect(off.map(({ code }) => code)).not.toContain('HLP1050');
  });
});
