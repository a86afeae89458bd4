import type { ArgumentCheck } from '../../core/tools/tool.ts';
import { compileForeignSchemaCheck, type SchemaFault } from './json-schema-check.ts';
import { hasMembers, type Members } from './members.ts';

/** What the model is told of a tool's arguments, and the rule they are held to. */
export interface ToolSchema {
  /** JSON Schema of type object, a copy of the author's. */
  readonly schema: Members;
  readonly check: (value: unknown) => ArgumentCheck;
}

/** Enough to mend a call; a model that gets everything wrong need not read a hundred lines. */
const mostFaults = 20;
const longestPath = 200;

/**
 * Reads the JSON Schema of a tool's arguments (contract/plugins.md#actions). `furtherFaults` is asked about values that fit it.
 * @throws Error saying why it cannot be used.
 */
export async function readToolSchema(
  declared: unknown,
  furtherFaults: (value: Members) => readonly string[] = () => [],
): Promise<ToolSchema> {
  const schema = plainCopy(declared);
  if (schema['type'] !== 'object') throw new Error('must be a JSON Schema whose type is object');
  const check = await compileForeignSchemaCheck(schema, 'keepsValue');
  // Providers want the schema alone, and some refuse the address of its dialect.
  const { $schema: _dialect, ...shown } = schema;
  return {
    schema: shown,
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

/** The model is given JSON: a schema that would lose a part on the way is refused. */
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
