import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FaultPlace } from './fault-report.ts';
import type { PluginFile } from './find/plugin-file.ts';

/** A file and a line of a stack. An ES module is named by its address there, a CommonJS module by its path. */
const stackPlace = /(?<address>(?:file:\/\/)?\/[^\s()]*?):(?<line>\d+)(?::(?<column>\d+))?(?=[\s)]|$)/g;

/** The innermost place in the plugin's own code that an error came from. The module file of the plugin when the stack does not tell. */
export function placeOfError(error: unknown, plugin: Pick<PluginFile, 'file' | 'folder'>): FaultPlace {
  for (const { groups } of stackOf(error).matchAll(stackPlace)) {
    const file = pathOf(groups?.['address'] ?? '');
    if (file === undefined || !isOwnFile(file, plugin.folder)) continue;
    const place = { file, line: Number(groups?.['line']) };
    return groups?.['column'] === undefined ? place : { ...place, column: Number(groups['column']) };
  }
  return { file: plugin.file };
}

function pathOf(address: string): string | undefined {
  if (!address.startsWith('file:')) return address;
  return URL.canParse(address) ? fileURLToPath(address) : undefined;
}

function isOwnFile(file: string, folder: string): boolean {
  return file.startsWith(folder + sep) && !file.slice(folder.length).includes(`${sep}node_modules${sep}`);
}

/** The stack of an error. Empty when there is none, or when reading it throws, because a stack is made from the error's own members. */
function stackOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.stack) : '';
  } catch {
    return '';
  }
}
