import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTests } from '../../../scripts/contract/read-tests.ts';
import { pages } from './pages.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const page = pages.get('docs/reference/guarantees.md') ?? '';
const proofs = [...page.matchAll(/\| `(test\/[^`]+)`: (.+?) +\|$/gm)].map(([, file = '', title = '']) => ({
  file,
  title,
}));

describe('the page of guarantees', () => {
  it('names a proof in every row', () => {
    const rows = page.split('\n').filter((line) => line.startsWith('| ') && !/^\| (Known problem|-)/.test(line));
    expect(proofs).toHaveLength(rows.length);
    expect(proofs.length).toBeGreaterThan(15);
  });

  it.each(proofs)('names a test that exists: $title', ({ file, title }) => {
    expect(readTests(readFileSync(join(root, file), 'utf8')).map((test) => test.title)).toContain(title);
  });
});
