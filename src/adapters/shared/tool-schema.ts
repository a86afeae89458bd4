import type { ArgumentCheck } from '../../core/tools/tool.ts';
import { takeLabels } from './action-words.ts';
import { compileForeignSchemaCheck, type SchemaFault } from './json-schema-check.ts';
import { hasMembers, type Members } from './members.ts';

/** The schema of a tool's arguments for the model, and the check of the arguments. */
export interface ToolSchema {
  /** JSON Schema of type object, a copy of the author's without `$schema`. */
  readonly schema: Members;
  /** The author's `$schema`. Left out where there is none. */
  readonly dialect?: string;
  /** Titles of arguments by language and name. Left out where each has one title. */
  readonly labels?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly check: (value: unknown) => ArgumentCheck;
}

/** The most faults that are reported for a call. They are enough to correct the call; a model should not have to read a hundred lines. */
const mostFaults = 20;
const longestPath = 200;

/**
 * Reads the JSON Schema of a tool's arguments (contract/plugins.md#actions). `furtherFaults` is called for values that fit the schema.
 * @throws Error that says why the schema cannot be used.
 */
export async function readToolSchema(
  declared: unknown,
  furtherFaults: (value: Members) => readonly string[] = () => [],
): Promise<ToolSchema> {
  const { schema, labels } = takeLabels(plainCopy(declared));
  if (schema['type'] !== 'object') throw new Error('must be a JSON Schema whose type is object');
  const check = await compileForeignSchemaCheck(schema, 'keepsValue');
  // Providers take the schema without the address of its dialect, and some refuse that address.
  const { $schema: dialect, ...shown } = schema;
  return {
    schema: shown,
    ...(typeof dialect === 'string' ? { dialect } : {}),
    ...(labels === undefined ? {} : { labels }),
    check: (value) => {
      if (!hasMembers(value)) return { ok: false, faults: ['arguments: must be object'] };
      const faults = check(value);
      if (faults.length === 0) return outcome(value, furtherFaults(value));
      const brokenRules = faults.slice(0, mostFaults).map(({ path, keyword, limit }) => ({
        path: path.slice(0, longestPath),
        keyword,
        ...(limit === undefined ? {} : { limit }),
      }));
      return { ...outcome(value, faults.map(faultText)), brokenRules };
    },
  };
}

/** Copies the schema as JSON, because the model gets JSON. A schema that would lose a part is refused. */
function plainCopy(declared: unknown): Members {
  const copy: unknown = hasMembers(declared) ? JSON.parse(JSON.stringify(declared)) : undefined;
  if (!hasMembers(copy)) throw new Error('must be a JSON Schema whose type is object');
  return copy;
}

function outcome(value: Members, faults: readonly string[]): ArgumentCheck {
  if (faults.length === 0) return { ok: true, value };
  if (faults.length <= mostFaults) return { ok: false, faults };
  return {
    ok: false,
    faults: [...faults.slice(0, mostFaults), `and ${String(faults.length - mostFaults)} more faults`],
  };
}

function faultText({ path, message, suggestion }: SchemaFault): string {
  const hint = suggestion === undefined ? '' : `, did you mean ${suggestion}?`;
  return `${path === '' ? 'arguments' : path.slice(0, longestPath)}: ${message}${hint}`;
}
