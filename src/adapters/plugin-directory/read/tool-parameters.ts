import { readToolSchema, type ToolSchema } from '../../shared/tool-schema.ts';
import { isZodSchema, jsonSchemaOfZod, zodFaults, type ZodSchema } from './zod-schema.ts';

/** The parameters of a plugin's tool. For parameters that Zod describes, Zod decides in the end. */
export interface ToolParameters extends ToolSchema {
  readonly zod: ZodSchema | undefined;
}

/**
 * Reads `parameters`: a JSON Schema or a Zod object (contract/plugins.md#actions).
 * @throws Error that says why they cannot be used.
 */
export async function readToolParameters(declared: unknown): Promise<ToolParameters> {
  if (!isZodSchema(declared)) return { zod: undefined, ...(await readToolSchema(declared)) };
  const schema = await readToolSchema(await jsonSchemaOfZod(declared), (value) => zodFaults(declared, value));
  return { zod: declared, ...schema };
}
