import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { Language, type Node, Parser } from '@vscode/tree-sitter-wasm';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { isHere } from '../../support/tools-here.ts';
import { blocksIn, pages } from './pages.ts';

const require = createRequire(import.meta.url);
const recipes = [...pages].filter(([page]) => page.startsWith('docs/recipes/') && !page.endsWith('README.md'));
const index = pages.get('docs/recipes/README.md') ?? '';

/** The grammars that read the blocks of a language. TypeScript reads its own. */
const grammars = { php: 'php', ruby: 'ruby', csharp: 'c-sharp', java: 'java', python: 'python' } as const;
const isGrammar = (language: string): language is keyof typeof grammars => Object.hasOwn(grammars, language);

const inRecipes = ({ page }: { readonly page: string }): boolean => page.startsWith('docs/recipes/');

/** The places at which a text breaks the grammar. */
function faultsOf(node: Node | undefined): string[] {
  if (node === undefined) return ['nothing was read'];
  if (node.isError || node.isMissing) return [`line ${String(node.startPosition.row + 1)}: ${node.text.slice(0, 60)}`];
  return node.children.flatMap((child) => (child === null ? [] : faultsOf(child)));
}

describe('the recipes (docs/recipes/README.md)', () => {
  it.each(recipes)('are short, and have three traps and a configuration: %s', (page, text) => {
    // A page has a whole configuration, and code that refuses what a reader may forget. Shorter pages lacked these.
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(120);
    const traps = text.split('## Traps\n')[1] ?? '';
    expect(traps.match(/^- \*\*/gm)).toHaveLength(3);
    expect(text).toContain('```yaml file=helper.yaml\n');
    expect(text.split('\n```', 1)[0]).toMatch(/\btests?\b/);
    expect(index).toContain(`](${page.slice('docs/recipes/'.length)})`);
  });

  it.each(blocksIn(...Object.keys(grammars)).filter(inRecipes))(
    'have code that the grammar of its language reads: $language in $page',
    async ({ language, code }) => {
      if (!isGrammar(language)) throw new Error(`there is no grammar for ${language}`);
      await Parser.init();
      const parser = new Parser();
      const file = `@vscode/tree-sitter-wasm/wasm/tree-sitter-${grammars[language]}.wasm`;
      parser.setLanguage(await Language.load(require.resolve(file)));
      expect(faultsOf(parser.parse(code)?.rootNode)).toEqual([]);
      // The parser reports a superfluous brace. This shows that it reads the text as code.
      const superfluous = language === 'php' ? '<?php )(' : ')(';
      expect(faultsOf(parser.parse(`${code}\n${superfluous}`)?.rootNode)).not.toEqual([]);
    },
  );

  it.each(blocksIn('js', 'ts', 'tsx').filter(inRecipes))(
    'have code that TypeScript reads: $language in $page',
    ({ language, code }) => {
      const { diagnostics = [] } = ts.transpileModule(code, {
        fileName: `example.${language}`,
        reportDiagnostics: true,
        compilerOptions: { jsx: ts.JsxEmit.Preserve, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
      });
      expect(diagnostics.map(({ messageText }) => messageText)).toEqual([]);
    },
  );

  it.runIf(isHere('python'))('have Python that Python compiles', () => {
    const blocks = blocksIn('python').filter(inRecipes);
    expect(blocks.length).toBeGreaterThan(1);
    for (const { code } of blocks) {
      execFileSync('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], { input: code });
    }
  });
});
