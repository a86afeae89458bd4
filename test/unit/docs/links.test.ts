import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorsOf, withoutBlocks } from '../../../scripts/contract/anchors.ts';
import { pages } from './pages.ts';

const root = join(import.meta.dirname, '..', '..', '..');

interface Link {
  readonly page: string;
  readonly target: string;
}

/** Links to other pages of the project and within a page. Links to the web are not checked. */
const links: readonly Link[] = [...pages].flatMap(([page, text]) =>
  [...withoutBlocks(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => ({ page, target }))
    .filter(({ target }) => !/^[a-z]+:/.test(target)),
);

describe('links of the documentation', () => {
  it('are there', () => {
    expect(links.length).toBeGreaterThan(30);
  });

  it.each(links)('lead somewhere: $target in $page', ({ page, target }) => {
    const [path = '', anchor] = target.split('#', 2);
    const file = path === '' ? page : normalize(join(dirname(page), path));
    expect(existsSync(join(root, file)), `${file} exists`).toBe(true);
    if (anchor !== undefined) expect(anchorsOf(pages.get(file) ?? '')).toContain(anchor);
  });

  it('reach every page from the README', () => {
    const reached = new Set(['README.md']);
    for (const page of reached) {
      for (const link of links.filter((candidate) => candidate.page === page)) {
        const file = normalize(join(dirname(page), link.target.split('#', 1)[0] ?? ''));
        if (pages.has(file)) reached.add(file);
        for (const path of pages.keys()) if (dirname(path) === file) reached.add(path);
      }
    }
    expect([...pages.keys()].filter((page) => !reached.has(page))).toEqual([]);
  });
});
