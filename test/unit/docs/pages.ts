import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutBlocks } from '../../../scripts/contract/anchors.ts';

const root = join(import.meta.dirname, '..', '..', '..');

export interface Block {
  readonly page: string;
  readonly language: string;
  /** The number of the block's first line in the page. Lines are counted from 1. */
  readonly line: number;
  readonly code: string;
}

/** Every page of documentation, by its path below the project. */
export const pages: ReadonlyMap<string, string> = new Map(
  globSync(['*.md', 'docs/**/*.md', 'plugins/*.md', 'charts/*/*.md'], { cwd: root })
    .sort()
    .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
);

/** The fenced blocks of all pages in one of these languages. */
export function blocksIn(...languages: readonly string[]): readonly Block[] {
  return [...pages].flatMap(([page, text]) =>
    [...text.matchAll(/^( *)```(\w+)[^\n]*\n([\s\S]*?)^\1```$/gm)].flatMap((match) => {
      const [, , language = '', code = ''] = match;
      if (!languages.includes(language)) return [];
      return [{ page, language, line: text.slice(0, match.index).split('\n').length + 1, code }];
    }),
  );
}

/** The block of a page that is a whole file: its fence says `file=NAME`. @throws Error when there is none. */
export function exampleFile(page: string, name: string): string {
  const text = pages.get(page) ?? '';
  const code = text
    .split(new RegExp(`^\`\`\`\\w+ file=${name.replaceAll('.', '\\.')}\\n`, 'm'))[1]
    ?.split('\n```', 1)[0];
  if (code === undefined) throw new Error(`${page} has no example ${name}`);
  return `${code}\n`;
}

/** The texts between backticks in all pages, outside of fenced blocks. */
export function inlineCode(): readonly { readonly page: string; readonly code: string }[] {
  return [...pages].flatMap(([page, text]) =>
    [...withoutBlocks(text).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => ({ page, code })),
  );
}
