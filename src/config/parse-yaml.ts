import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseAllDocuments,
  parseDocument,
  type YAMLError,
  type YAMLMap,
} from 'yaml';
import type { StartupFault } from '../core/errors/startup-fault.ts';
import type { LocatedEntry, LocatedValue, Place } from './located-value.ts';
import type { ConfigurationWarning } from './warnings.ts';

/** Documented in `docs/reference/warnings.md`. */
export const emptyByCommentCode = 'HLP1031';

/**
 * The most values of a file, and their deepest nesting. No configuration needs more. Without a limit, a few lines of nested aliases would
 * make billions of values.
 */
const mostValues = 20_000;
const deepest = 64;

/** The messages for syntax errors. The parser's own messages may quote the line, and with it a secret. */
const sentences: Readonly<Partial<Record<YAMLError['code'], string>>> = {
  BAD_ALIAS: 'an alias (*name) that is not written correctly',
  BAD_DIRECTIVE: 'a directive (%…) that YAML does not know',
  BAD_DQ_ESCAPE: 'an unknown escape in double quotes; write \\\\ for a backslash, or use single quotes',
  BAD_INDENT: 'the indentation does not fit, or a bracket above is not closed',
  BAD_SCALAR_START: 'a text that begins with a reserved character; put it in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a second key on one line; put a text that holds ": " in quotes',
  DUPLICATE_KEY: 'this key was given before; give it once',
  MISSING_CHAR: 'a quote, bracket, colon or comma is missing',
  MULTILINE_IMPLICIT_KEY: 'the indentation does not fit, or a colon is missing',
  MULTIPLE_DOCS: 'a second document begins here (---); the file must hold one',
  RESOURCE_EXHAUSTION: 'the file is nested too deeply',
  TAB_AS_INDENT: 'a tab; YAML is indented with spaces',
  TAG_RESOLVE_FAILED: 'a tag (!…) that is not supported',
};

/** The origin of a text: a whole file, or one place such as an environment variable. */
export type TextOrigin = { readonly file: string } | { readonly place: Place; readonly substituted: boolean };

export interface ParsedYaml {
  /** Undefined when the text is empty or cannot be read at all. */
  readonly root: LocatedValue | undefined;
  readonly faults: readonly StartupFault[];
  readonly warnings: readonly ConfigurationWarning[];
}

/** The documents of a text. */
interface ParsedDocuments extends Omit<ParsedYaml, 'root'> {
  readonly roots: readonly LocatedValue[];
}

/** Reads one YAML document into values that know their places; never throws, whatever the text is. */
export function parseYaml(text: string, origin: TextOrigin): ParsedYaml {
  const { roots, faults, warnings } = parseWith((options) => [parseDocument(text, options)], text, origin);
  return { root: roots[0], faults, warnings };
}

/** Like `parseYaml`, for a text of several documents. Empty documents are left out. */
export function parseYamlDocuments(text: string, origin: TextOrigin): ParsedDocuments {
  return parseWith((options) => parseAllDocuments(text, options), text, origin);
}

type ParseOptions = Readonly<Parameters<typeof parseDocument>[1]>;

function parseWith(
  parse: (options: ParseOptions) => readonly Document[],
  text: string,
  origin: TextOrigin,
): ParsedDocuments {
  const lines = new LineCounter();
  const reader = new NodeReader(text, lines, origin);
  try {
    const documents = parse({ lineCounter: lines, prettyErrors: false, resolveKnownTags: false });
    const problems = documents.flatMap(({ errors, warnings }) => [...errors, ...warnings]);
    const unquoted = problems.length > 0 ? unquotedReference(text, problems[0]?.pos[0] ?? 0) : undefined;
    if (unquoted !== undefined) {
      // The parser reads everything after this fault wrongly, so nothing more can be said.
      reader.fault(unquoted, '${…} stands in quotes inside braces and brackets: "${NAME}"');
      return { roots: [], faults: reader.faults, warnings: [] };
    }
    for (const problem of problems) reader.fault(problem.pos[0], sentences[problem.code] ?? 'this is not valid YAML');
    if (documents.some(({ directives }) => isOtherVersion(directives))) {
      reader.fault(0, 'the YAML version must be 1.2; leave the %YAML line out');
    }
    if (problems.length > 0) return { roots: [], faults: reader.faults, warnings: [] };
    const roots = documents.flatMap((document) =>
      document.contents === null ? [] : [reader.read(document.contents, document)],
    );
    return { roots, faults: reader.faults, warnings: reader.warnings };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    reader.fault(0, 'the file is nested too deeply');
    return { roots: [], faults: reader.faults, warnings: [] };
  }
}

function isOtherVersion(directives: Document['directives']): boolean {
  return directives?.yaml.explicit === true && directives.yaml.version !== '1.2';
}

/**
 * The position of a `${` outside of quotes in the line of a syntax error. Inside YAML's own braces, such a reference ends at the wrong
 * brace.
 */
function unquotedReference(text: string, offset: number): number | undefined {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const [line = ''] = text.slice(start).split('\n', 1);
  const bare = line.replace(/"[^"]*"|'[^']*'/g, (quoted) => ' '.repeat(quoted.length));
  const column = bare.indexOf('${');
  return column === -1 ? undefined : start + column;
}

/** Turns parser nodes into located values, with every alias written out, up to a limit. */
class NodeReader {
  readonly faults: StartupFault[] = [];
  readonly warnings: ConfigurationWarning[] = [];
  readonly #text: string;
  readonly #lines: LineCounter;
  readonly #origin: TextOrigin;
  #count = 0;

  constructor(text: string, lines: LineCounter, origin: TextOrigin) {
    this.#text = text;
    this.#lines = lines;
    this.#origin = origin;
  }

  fault(offset: number, message: string): void {
    this.faults.push({ ...this.#place(offset), path: '(yaml)', message });
  }

  read(node: unknown, document: Document, depth = 0): LocatedValue {
    const place = this.#placeOf(node);
    const substituted = 'place' in this.#origin && this.#origin.substituted;
    const empty: LocatedValue = { kind: 'scalar', value: null, place, substituted };
    this.#count += 1;
    if (this.#count === mostValues + 1 || depth === deepest + 1) {
      this.faults.push({
        ...place,
        path: '(yaml)',
        message: 'too many values, or nested too deeply, aliases included',
      });
    }
    if (this.#count > mostValues || depth > deepest) return empty;
    if (isAlias(node)) {
      const target = node.resolve(document);
      if (target !== undefined) return this.read(target, document, depth + 1);
      this.faults.push({ ...place, path: '(yaml)', message: 'an alias (*name) without an anchor (&name)' });
      return empty;
    }
    if (isMap(node)) return { kind: 'map', place, substituted, entries: this.#entries(node, document, depth) };
    if (isSeq(node)) {
      return {
        kind: 'list',
        place,
        substituted,
        items: node.items.map((item) => this.read(item, document, depth + 1)),
      };
    }
    return { ...empty, value: isScalar(node) ? scalarOf(node.value) : null };
  }

  #entries(map: YAMLMap, document: Document, depth: number): Map<string, LocatedEntry> {
    const entries = new Map<string, LocatedEntry>();
    for (const pair of map.items) {
      const keyPlace = this.#placeOf(pair.key);
      const key = isScalar(pair.key) && !isAlias(pair.key) ? String(pair.key.value) : undefined;
      if (key === undefined || key === '__proto__') {
        this.faults.push({ ...keyPlace, path: '(yaml)', message: 'this cannot be a key; keys are plain texts' });
        continue;
      }
      if (key === '<<') {
        const message =
          'merge keys (<<) are no part of YAML 1.2; write the keys out, or use an alias for the whole value';
        this.faults.push({ ...keyPlace, path: '(yaml)', message });
        continue;
      }
      const value: LocatedValue =
        pair.value === null
          ? { kind: 'scalar', value: null, place: keyPlace, substituted: false }
          : this.read(pair.value, document, depth + 1);
      if (value.kind === 'scalar' && value.value === null) this.#warnOfComment(key, pair.key);
      entries.set(key, { keyPlace, value });
    }
    return entries;
  }

  /**
   * Warns of an empty value that is followed by a comment which looks like a value, such as `primaryColor: #0a7`. A comment that begins
   * with a space gives no warning.
   */
  #warnOfComment(key: string, node: unknown): void {
    const end = (node as Node | null)?.range?.[1]; // as in #placeOf
    if (end === undefined || 'place' in this.#origin) return;
    const written = /^[^\S\n]*:[^\S\n]+(#[^\s#!][^\n]*)/.exec(this.#text.slice(end))?.[1]?.trim();
    if (written === undefined) return;
    const { file, line } = this.#place(end);
    const message = `${file}:${String(line)}: ${key} is empty, because # begins a comment in YAML. If ${written} is meant, put it in quotes: ${key}: ${JSON.stringify(written)}`;
    this.warnings.push({ code: emptyByCommentCode, message });
  }

  #placeOf(node: unknown): Place {
    // The parser gives a range to every node that it made. A node without a range was not made by the parser.
    const range = (node as Node | null)?.range;
    return this.#place(range?.[0] ?? 0);
  }

  #place(offset: number): Place {
    if ('place' in this.#origin) return this.#origin.place;
    const { line, col } = this.#lines.linePos(offset);
    return { file: this.#origin.file, line: Math.max(1, line), column: Math.max(1, col) };
  }
}

function scalarOf(value: unknown): string | number | boolean | null {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return typeof value === 'bigint' ? Number(value) : null;
}
