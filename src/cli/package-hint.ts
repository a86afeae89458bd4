import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectScripts, type ServerProgram } from './project-scripts.ts';

/** The `package.json` of a folder, as far as a new project in it has to know. */
export interface OwnPackage {
  /** Names that its scripts have already. */
  readonly scripts: ReadonlySet<string>;
  /** Whether Node reads the `.js` files beside it as modules. */
  readonly isModule: boolean;
}

/** Undefined when there is none. One that cannot be read has no scripts. */
export function ownPackage(folder: string): OwnPackage | undefined {
  let text: string;
  try {
    text = readFileSync(join(folder, 'package.json'), 'utf8');
  } catch {
    return undefined;
  }
  const content = objectIn(text);
  const scripts = Object(content['scripts']) as object; // Object makes one of anything
  return { scripts: new Set(Object.keys(scripts)), isModule: content['type'] === 'module' };
}

/** What to add to a `package.json` that stays as it is. A name that is taken gets `helper:` in front. */
export function packageHint({ scripts }: OwnPackage, program: ServerProgram): string {
  const lines = Object.entries(projectScripts(program)).map(([name, script]) => {
    const free = scripts.has(name) ? `helper:${name}` : name;
    return `    ${JSON.stringify(free)}: ${JSON.stringify(script)}`;
  });
  return `\nThe package.json stays as it is. To its scripts you may add\n${lines.join(',\n')}\n`;
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const content: unknown = JSON.parse(text);
    return Object(content) as Readonly<Record<string, unknown>>; // of what is no object, an object without members
  } catch {
    return {};
  }
}
