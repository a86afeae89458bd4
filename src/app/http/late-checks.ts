import { Ajv, type ValidateFunction } from 'ajv';
import type { FastifySchema, FastifySchemaCompiler } from 'fastify';

/**
 * Checks the inputs of routes without changing them: nothing is converted, removed or filled in. A schema is compiled when the first
 * request comes to its route. Compiling those of all routes took a sixth of a start.
 */
export function lateChecks(): FastifySchemaCompiler<FastifySchema> {
  // The schemas are those of our own routes. Checking them against the draft would cost the first request more than its own check.
  const ajv = new Ajv({ coerceTypes: false, removeAdditional: false, useDefaults: false, validateSchema: false });
  return ({ schema }) => {
    let check: ValidateFunction | undefined;
    return (input) => {
      check ??= ajv.compile(schema as object); // Fastify passes the schemas of our own routes, which are objects
      return check(input) ? true : { error: check.errors ?? [] };
    };
  };
}
