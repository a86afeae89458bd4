import type { ErrorObject, ValidateFunction } from 'ajv';
import type { KeyPath } from './located-value.ts';
import { helperSchema } from './schema/helper.schema.ts';
import type { SettingSchema } from './schema/setting-schema.ts';
import { compileShape } from './shape/compile-shape.ts';
import { helperShape } from './shape/helper-shape.ts';

/** One way in which a value does not fit the schema. */
export interface ShapeFault {
  readonly kind: 'unknown-key' | 'missing-key' | 'bad-key' | 'bad-value';
  /** For a fault of a key, the path of the key itself. */
  readonly path: KeyPath;
}

const compiled = new Map<SettingSchema, ValidateFunction>();

function validator(schema: SettingSchema): ValidateFunction {
  if (schema === helperSchema) return helperShape();
  const known = compiled.get(schema) ?? compileShape(schema);
  compiled.set(schema, known);
  return known;
}

/**
 * Checks a whole configuration, or a value of another schema, and fills in what was left out; `value` is changed in place. Each schema is
 * compiled once.
 */
export function checkShape(
  value: Record<string, unknown>,
  schema: SettingSchema = helperSchema,
): readonly ShapeFault[] {
  const validate = validator(schema);
  if (validate(value)) return [];
  return withoutRepeats((validate.errors ?? []).map((error) => toFault(error, value)));
}

function toFault(error: ErrorObject, value: unknown): ShapeFault {
  const path = pathOf(error.instancePath, value);
  // Ajv gives every keyword its own parameters. It documents that these three are texts.
  const parameters = error.params as Readonly<Record<string, unknown>>;
  switch (error.keyword) {
    case 'additionalProperties':
      return { kind: 'unknown-key', path: [...path, String(parameters['additionalProperty'])] };
    case 'required':
      return { kind: 'missing-key', path: [...path, String(parameters['missingProperty'])] };
    case 'propertyNames':
      return { kind: 'bad-key', path: [...path, String(parameters['propertyName'])] };
    default:
      return error.propertyName === undefined
        ? { kind: 'bad-value', path }
        : { kind: 'bad-key', path: [...path, error.propertyName] };
  }
}

function withoutRepeats(faults: readonly ShapeFault[]): readonly ShapeFault[] {
  return [...new Map(faults.map((fault) => [JSON.stringify([fault.kind, fault.path]), fault])).values()];
}

/** A JSON pointer as a path, with list positions as numbers. */
function pathOf(pointer: string, value: unknown): KeyPath {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  return keys.map((key, index) => (Array.isArray(at(value, keys.slice(0, index))) ? Number(key) : key));
}

function at(value: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>((current, key) => {
    if (Array.isArray(current)) return current[Number(key)];
    return isMap(current) ? current[String(key)] : undefined;
  }, value);
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
