import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFiles } from '../../../src/cli/project-files.ts';
import { blocksIn, inlineCode } from './pages.ts';

const root = join(import.meta.dirname, '../../..');
const { name, private: isPrivate } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly name: string;
  readonly private?: boolean;
};

/** Packages of others that the documentation leads to on purpose. Each is looked up by its name on the registry. */
const packagesOfOthers = new Set(['openapi-typescript', '@modelcontextprotocol/server', '@langchain/cohere']);

/** What npx finds in this project's own node_modules. */
const ownCommands = new Set(['helper', 'vitest', 'prettier', 'eslint', 'tsc']);

/** What texts tell a reader to install or run. A path is a file on the reader's machine. */
function namedPackages(text: string): readonly string[] {
  const commands = [
    /\bnpx (?:-y |--yes |--offline )?([@\w./-]+)/g,
    /\bnpm (?:i|install|exec|create) (?:-[-\w]+ )*([@\w./-]+)/g,
    /\b(?:pnpm|yarn|bun) (?:add|dlx|create) ([@\w./-]+)/g,
    /\bbunx ([@\w./-]+)/g,
  ];
  return commands.flatMap((command) => [...text.matchAll(command)].map(([, named = '']) => named));
}

/** Packages that a text leads to and that are neither this product, a file, nor meant. */
function strangersIn(text: string): readonly string[] {
  return namedPackages(text).filter(
    (named) => !/^\.\.?\//.test(named) && !ownCommands.has(named) && !packagesOfOthers.has(named),
  );
}

const shipped = ['src/**/*.{ts,tsx}', 'plugins/**/*.*', 'charts/**/*.*', 'config/**/*.*', 'compose/**/*.*'];

/** A file without the lines that are comments alone: nobody types what stands there. */
const typed = (path: string): string =>
  readFileSync(join(root, path), 'utf8').replaceAll(/^\s*(?:\*|\/\*\*|\/\/|#).*$/gm, '');

describe('the name of the package (docs/guides/installation.md)', () => {
  it('is not that of a package of others, and is not published by accident', () => {
    expect(name).toBe('helper-server');
    expect(isPrivate).toBe(true);
  });

  it('is the only one that the documentation leads to, besides those that are meant', () => {
    const code = [...blocksIn('sh', 'bash', 'yaml', 'js', 'ts', 'json'), ...inlineCode()];
    expect(code.flatMap(({ page, code }) => strangersIn(code).map((named) => `${page}: ${named}`))).toEqual([]);
  });

  it('is the only one that messages and shipped files lead to', () => {
    const files = globSync([...shipped, 'Dockerfile', 'docker-compose.yml'], { cwd: root });
    expect(files.flatMap((path) => strangersIn(typed(path)).map((named) => `${path}: ${named}`))).toEqual([]);
  });

  it('is what a new project depends on, and nothing else is', () => {
    const dependency = { spec: 'file:helper-server-1.0.0.tgz', archive: '/tools/helper-server-1.0.0.tgz' };
    const files = projectFiles({ command: 'helper', file: 'helper', dependency });
    const manifest = files.find(({ path }) => path === 'package.json')?.content ?? '';
    expect((JSON.parse(manifest) as { readonly dependencies: unknown }).dependencies).toEqual({
      [name]: dependency.spec,
    });
    for (const { content } of files)
      expect(namedPackages(content).filter((named) => !named.startsWith('./'))).toEqual([]);
  });
});
