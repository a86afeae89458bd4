import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changeOf } from '../../../src/app/reload/live-settings.ts';
import { helperSchema } from '../../../src/config/schema/helper.schema.ts';
import type { HelperSettings } from '../../../src/config/settings.ts';
import { settingsWith } from '../config/load-from-text.ts';

const guide = readFileSync(join(import.meta.dirname, '../../../docs/guides/operations.md'), 'utf8');
const section = guide.split('### Change the configuration\n')[1]?.split('\n### ', 1)[0] ?? '';

/** The keys in the table of the guide. */
const told = section
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .flatMap((line) => [...line.matchAll(/`(\w+)`/g)].map(([, key = '']) => key));

/** Another value of the same kind. */
function another(value: unknown): unknown {
  if (Array.isArray(value)) return [...(value as readonly unknown[]), {}]; // elements are not looked at
  return typeof value === 'object' && value !== null ? { ...value, another: true } : 'another';
}

describe('what a reload takes (contract/operations.md#reload)', () => {
  // proves configuration-7-08, service-2.16-06
  it('is listed in the guide: each key whose change is taken, and no other', () => {
    const serving = settingsWith('');
    const values: Readonly<Record<string, unknown>> = { ...serving };
    const taken = Object.keys(helperSchema.properties).flatMap((key) => {
      const changed = { ...serving, [key]: another(values[key]) } as HelperSettings; // values are compared, and not read
      return changeOf(serving, changed).taken;
    });
    expect(taken.length).toBeGreaterThan(30);
    expect(told.toSorted()).toEqual(taken.toSorted());
  });

  // proves configuration-7-08
  it('is named when a key is added or taken out, as what waits for a restart is', () => {
    const serving = settingsWith('');
    const keys = { ragMinScore: 1, classifierChatClient: 'demo', embeddingGenerator: 'vectors' };
    const waits = { chatHistoryProvider: 'storage' } as const;
    const named = { taken: ['classifierChatClient', 'embeddingGenerator', 'ragMinScore'], left: Object.keys(waits) };
    for (const [before, after] of [
      [serving, { ...serving, ...keys, ...waits }],
      [{ ...serving, ...keys, ...waits }, serving],
    ] as const) {
      const { taken, left, settings } = changeOf(before, after);
      expect({ taken: taken.toSorted(), left }).toEqual(named);
      expect(settings.ragMinScore).toBe(after.ragMinScore);
    }
  });
});
