import type { ValidateFunction } from 'ajv';
import { metaSchemaCompiler } from './compile-meta-schema.ts';

let compiled: ValidateFunction | undefined;

/**
 * The check of a JSON Schema against the schema of draft 2020-12, compiled on its first use. The build puts its source in the place of this
 * file.
 */
export function metaSchemaCheck(): ValidateFunction {
  return (compiled ??= metaSchemaCompiler({}).check);
}
