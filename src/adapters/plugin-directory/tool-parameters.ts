import type { ArgumentCheck } from '../../core/tools/tool.ts';
import { compileSchemaCheck, type SchemaFault } from './json-schema-check.ts';
import { hasMembers, type Members } from './member-reader.ts';
import { isZodSchema, jsonSchemaOfZod, zodFaults, type ZodSchema } from './zod-schema.ts';

/** What the model is told of a tool's arguments, and the rule they are held to. */
export interface ToolParameters {
  /** JSON Schema of type object, a copy of the author's. */
  readonly schema: Members;
  readonly zod: ZodSchema | undefined;
  readonly check: (value: unknown) => ArgumentCheck;
}

/** Enough to mend a call; a model that gets everything wrong need not read a hundred lines. */
const mostFaults = 20;

/**
 * Reads `parameters`: a JSON Schema or a Zod object (extending.md 1).
 * @throws Error saying why it cannot be used.
 */
export async function readToolParameters(declared: unknown): Promise<ToolParameters> {
  const zod = isZodSchema(declared) ? declared : undefined;
  const schema = plainCopy(zod === undefined ? declared : await jsonSchemaOfZod(zod));
  if (schema['type'] !== 'object') throw new Error('must be a JSON Schema whose type is object');
  const check = compileSchemaCheck(schema, 'keepsValue');
  // Providers want the schema alone, and some refuse the address of its dialect.
  const { $schema: _dialect, ...shown } = schema;
  return { schema: shown, zod, check: (value) => checkArguments(value, check(value), zod) };
}

/** The model is given JSON: a schema that would lose a part on the way is refused. */
function plainCopy(declared: unknown): Members {
  const copy: unknown = hasMembers(declared) ? JSON.parse(JSON.stringify(declared)) : undefined;
  if (!hasMembers(copy)) throw new Error('must be a JSON Schema whose type is object');
  return copy;
}

function checkArguments(value: unknown, faults: readonly SchemaFault[], zod: ZodSchema | undefined): ArgumentCheck {
  if (!hasMembers(value)) return { ok: false, faults: ['arguments: must be object'] };
  const lines = faults.length > 0 ? faults.map(faultText) : zod === undefined ? [] : zodFaults(zod, value);
  if (lines.length === 0) return { ok: true, value };
  if (lines.length <= mostFaults) return { ok: false, faults: lines };
  return { ok: false, faults: [...lines.slice(0, mostFaults), `and ${String(lines.length - mostFaults)} more faults`] };
}

function faultText({ path, message, suggestion }: SchemaFault): string {
  const hint = suggestion === undefined ? '' : `, did you mean ${suggestion}?`;
  return `${path === '' ? 'arguments' : path.slice(0, 200)}: ${message}${hint}`;
}
