import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { StartupFault } from '../core/errors/startup-fault.ts';
import { formatPath, type KeyPath, type LocatedScalar, type LocatedValue, mapScalars } from './located-value.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface SubstitutionSource {
  readonly environment: Environment;
  /** `${file:…}` is relative to it. */
  readonly folder: string;
}

/** Bytes. A secret file holds a line of text, so a larger file is a mistake. */
const largestFile = 1024 * 1024;

/** Matches `$${`, a complete `${…}`, or a `${` that is never closed. A reference cannot contain a brace. */
const reference = /\$\$\{|\$\{([^{}]*)\}|\$\{/g;

/**
 * Replaces `${NAME}`, `${NAME:-default}` and `${file:path}` in every text (contract/configuration.md#reading). References inside inserted
 * text are not replaced. `$${` becomes `${`.
 */
export function substitute(
  root: LocatedValue,
  source: SubstitutionSource,
): {
  readonly root: LocatedValue;
  readonly faults: readonly StartupFault[];
  /** The keys that lack a value because of a fault. */
  readonly unresolved: readonly KeyPath[];
  /** Absolute paths of the files that `${file:…}` names, each once. */
  readonly files: readonly string[];
} {
  const faults: StartupFault[] = [];
  const unresolved: KeyPath[] = [];
  const files = new Set<string>();
  const hasReference = (text: unknown): text is string => typeof text === 'string' && text.includes('${');
  const walked = mapScalars(root, (scalar, path) =>
    hasReference(scalar.value) ? expand(scalar, scalar.value, path) : scalar,
  );
  return { root: walked, faults, unresolved, files: [...files] };

  function expand(scalar: LocatedScalar, text: string, path: KeyPath): LocatedScalar {
    let substituted = scalar.substituted;
    const expanded = text.replace(reference, (whole: string, content: string | undefined) => {
      if (whole === '$${') return '${';
      substituted = true;
      const found =
        content === undefined
          ? { fault: 'a ${ that is not closed; write $${ for a plain ${' }
          : lookUp(content, { ...source, files });
      if ('text' in found) return found.text;
      faults.push({ ...scalar.place, path: formatPath(path), message: found.fault });
      unresolved.push(path);
      return '';
    });
    const alone = /^\$\{[^{}]*\}$/.test(text);
    return { ...scalar, value: expanded, substituted, ...(alone && { typePending: true as const }) };
  }
}

type Found = { readonly text: string } | { readonly fault: string };

function lookUp(content: string, source: SubstitutionSource & { readonly files: Set<string> }): Found {
  if (content.startsWith('file:')) {
    const file = resolve(source.folder, content.slice('file:'.length).trim());
    source.files.add(file);
    return readSecretFile(file);
  }
  const match = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s.exec(content);
  const name = match?.[1];
  if (name === undefined) {
    return { fault: 'not a reference; allowed: ${NAME}, ${NAME:-default}, ${file:path}, and $${ for a plain ${' };
  }
  const value = source.environment[name];
  const fallback = match?.[2];
  // As in a shell, the default also replaces a variable that is set to an empty text.
  if (fallback !== undefined) return { text: value === undefined || value === '' ? fallback : value };
  if (value !== undefined) return { text: value };
  return { fault: `the environment variable ${name} is not set; set it, or give a default as \${${name}:-default}` };
}

function readSecretFile(file: string): Found {
  try {
    const entry = statSync(file);
    if (!entry.isFile()) return { fault: `${file} is not a file` };
    if (entry.size > largestFile) return { fault: `${file} is larger than 1 MiB` };
    return { text: readFileSync(file, 'utf8').replace(/\r?\n$/, '') };
  } catch (error) {
    return { fault: `the file ${file} cannot be read (${codeOf(error)})` };
  }
}

/** The system's code of an I/O error, such as `ENOENT`. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
