import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { dayPage, pageWith, playDay } from '../../scripts/operators-day.ts';
import { hasPromtool } from '../support/monitoring/promtool.ts';
import { isHere } from '../support/tools-here.ts';

const notPlayed = hasPromtool ? '' : ', up to its alert (that needs scripts/install-promtool.sh)';

it.skipIf(!isHere('curl'))(
  `the day of an operator is as docs/guides/operations.md shows it (contract/operations.md)${notPlayed}; it needs curl`,
  async () => {
    const transcript = await playDay();
    const page = readFileSync(dayPage, 'utf8');
    expect(page).toContain(`\n${transcript}\n`);
    if (hasPromtool) expect(pageWith(transcript)).toBe(page);
  },
);
