import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { StartupFault } from '../core/errors/startup-fault.ts';

/**
 * One line for each fault, `file:line:column path: message (did you mean …?)`, and a last line that sums them up
 * (contract/configuration.md#faults).
 */
export function formatFaults(
  faults: readonly StartupFault[],
  workingDirectory: string,
  outcome = 'nothing was started',
): string {
  const lines = faults.map((fault) => {
    const place = [shortPath(fault.file, workingDirectory), fault.line, fault.column].filter(
      (part) => part !== undefined,
    );
    const suggestion = fault.suggestion === undefined ? '' : ` (did you mean ${fault.suggestion}?)`;
    return oneLine(`${place.join(':')} ${fault.path}: ${fault.message}${suggestion}`);
  });
  const count = faults.length === 1 ? '1 fault' : `${String(faults.length)} faults`;
  return `${lines.join('\n')}\n\n${count}; ${outcome}.\n`;
}

/** The path relative to the working directory when the file is below it, else the absolute path. */
function shortPath(file: string, workingDirectory: string): string {
  if (!file.startsWith('/')) return file;
  const path = relative(workingDirectory, file);
  return path.startsWith('..') || path === '' ? file : path;
}

/** A file's content never drives the terminal: no escapes, no line breaks. */
function oneLine(text: string): string {
  // eslint-disable-next-line no-control-regex -- these are what must go
  return stripVTControlCharacters(text).replace(/[\u0000-\u001f\u007f]+/g, ' ');
}
