import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectScripts, type ServerProgram } from './project-scripts.ts';

/** What a new project must know about the `package.json` of its folder. */
export interface OwnPackage {
  /** The names of the scripts that it already has. */
  readonly scripts: ReadonlySet<string>;
  /** Whether Node reads the `.js` files beside it as modules. */
  readonly isModule: boolean;
}

/** The `package.json` of a folder. Undefined when there is none. A file that is not valid JSON counts as one without scripts. */
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

/**
 * The lines that users may add to their `package.json`, which is not changed. A script whose name is taken gets `helper:` in front of its
 * name.
 */
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
    return Object(content) as Readonly<Record<string, unknown>>; // anything that is no object becomes an object without members
  } catch {
    return {};
  }
}
