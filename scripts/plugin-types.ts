/**
 * Writes `config/helper.d.ts`: everything that plugins import from `helper`, in one file. `helper init` puts the file into a project, so
 * that an editor knows `helper` without an installed package. Part of `npm run generate`. A test fails when the file is stale.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { transpileDeclaration } from 'typescript';

const root = join(import.meta.dirname, '..');
const source = join(root, 'src', 'plugin-api');

/** The file that is written. */
export const pluginTypesFile = join(root, 'config', 'helper.d.ts');

/** The declarations of the plugin API as one module. The plugin API imports nothing from the rest of the server. */
export function pluginTypes(): Promise<string> {
  const names = readdirSync(source).filter((name) => name !== 'index.ts');
  const declarations = names.map((name) => {
    const { outputText, diagnostics = [] } = transpileDeclaration(readFileSync(join(source, name), 'utf8'), {
      fileName: name,
      compilerOptions: { isolatedDeclarations: true, stripInternal: true },
    });
    if (diagnostics.length > 0) throw new Error(`${name} does not declare all of its types`);
    if (/^import (?!type [^;]*'\.\/)/m.test(outputText)) throw new Error(`${name} needs more than the plugin API`);
    return outputText.replaceAll(/^import [^;]*;\n/gm, '').replaceAll(/^export declare /gm, 'export ');
  });
  const head =
    '// What a plugin imports from helper. Written by helper init; a newer version of the server brings its own.\n\n';
  return format(`${head}declare module 'helper' {\n${declarations.join('\n')}}\n`, {
    parser: 'typescript',
    singleQuote: true,
    printWidth: 120,
  });
}

if (import.meta.main) writeFileSync(pluginTypesFile, await pluginTypes());
