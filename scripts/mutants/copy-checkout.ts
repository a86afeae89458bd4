import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { weaveMutants, type NumberedMutant } from './weave-mutants.ts';

const woven = join(import.meta.dirname, 'woven');

/** The name under which a file knows the function that it asks. No file has it otherwise. */
const ask = 'isMutantOn';

/** Copies a checkout, without what git ignores, into a new folder, and weaves the mutants into the copy. Returns the folder. */
export function copyCheckout(root: string, mutants: readonly NumberedMutant[]): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'helper-mutants-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    maxBuffer: 64 * 2 ** 20,
  });
  const files = listed.toString().split('\0').slice(0, -1);
  for (const file of files) cpSync(join(root, file), join(folder, file), { recursive: true, verbatimSymlinks: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  cpSync(woven, folder, { recursive: true });
  for (const [file, ofFile] of Map.groupBy(mutants, (mutant) => mutant.file)) weaveInto(folder, file, ofFile);
  return folder;
}

function weaveInto(folder: string, file: string, mutants: readonly NumberedMutant[]): void {
  const path = join(folder, file);
  const text = weaveMutants(readFileSync(path, 'utf8'), mutants, ask);
  const door = relative(dirname(path), join(folder, 'mutant-switch.ts'));
  // On the first line, so that the others keep their numbers as far as they can.
  writeFileSync(path, `import { isOn as ${ask} } from '${door}'; ${text}`);
}
