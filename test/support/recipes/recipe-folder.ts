import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished, vi } from 'vitest';
import { exampleFile } from '../../unit/docs/pages.ts';
import { callbackSecret } from '../callback-receiver.ts';
import { tokenSecret } from '../tokens.ts';

const root = join(import.meta.dirname, '../../..');

/** Files that a test adds to those of a page, by their path. */
export type AddedFiles = Readonly<Record<string, string>>;

/** The path of a recipe's page below the project. */
export const recipePage = (name: string): string => `docs/recipes/${name}.md`;

/** A file that all recipes share. */
export const sharedFile = (name: string): string => exampleFile('docs/recipes/README.md', name);

/** A new folder with these files, and the packages of this project. */
export function folderOf(files: AddedFiles): string {
  const folder = mkdtempSync(join(tmpdir(), 'helper-recipe-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** What a recipe's program finds in its environment. */
export const recipeEnvironment = {
  SHOP_CALLBACK_SECRET: callbackSecret,
  HELPER_TOKEN_SECRET: tokenSecret,
  PORT: '0',
};

export interface StartedProgram {
  readonly folder: string;
  readonly command: string;
  readonly parameters: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

function spawned({ folder, command, parameters, environment = {} }: StartedProgram) {
  const program = spawn(command, parameters, {
    cwd: folder,
    env: { ...process.env, ...recipeEnvironment, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void program.kill('SIGKILL'));
  return program;
}

/** Starts a program that prints its address as its first line. */
export async function startProgram(options: StartedProgram): Promise<string> {
  const program = spawned(options);
  let complaints = '';
  program.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  for await (const line of createInterface({ input: program.stdout })) return line;
  throw new Error(`${options.command} ended without its address: ${complaints}`);
}

/** Starts a program that listens on a known port, and prints nothing. Resolves once it answers. */
export async function startListener(options: StartedProgram, port: number): Promise<string> {
  spawned(options).stdout.resume();
  const url = `http://127.0.0.1:${String(port)}`;
  await vi.waitFor(() => fetch(url));
  return url;
}
