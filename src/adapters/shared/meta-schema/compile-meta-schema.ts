import type { Options, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** The name of draft 2020-12. */
export const metaSchemaId = 'https://json-schema.org/draft/2020-12/schema';

/** Compiles the check of a JSON Schema of draft 2020-12 against the schema of this draft. */
export function metaSchemaCompiler(options: Options): { readonly ajv: Ajv2020; readonly check: ValidateFunction } {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, logger: false, ...options });
  const check = ajv.getSchema(metaSchemaId);
  if (check === undefined) throw new Error('ajv does not know the draft 2020-12');
  return { ajv, check };
}
