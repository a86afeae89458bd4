import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { dayPage, pageWith, playDay } from '../../scripts/operators-day.ts';

const hasCurl = spawnSync('curl', ['--version']).status === 0;

it.skipIf(!hasCurl)(
  'the day of an operator is as docs/guides/operations.md shows it (contract/operations.md); it needs curl',
  { timeout: 180_000 },
  async () => {
    const transcript = await playDay();
    expect(readFileSync(dayPage, 'utf8')).toContain(`\n${transcript}\n`);
    expect(pageWith(transcript)).toBe(readFileSync(dayPage, 'utf8'));
  },
);
