import type { ValidateFunction } from 'ajv';
import { helperSchema } from '../schema/helper.schema.ts';
import { compileShape } from './compile-shape.ts';

let compiled: ValidateFunction | undefined;

/** The check of a whole configuration, compiled on its first use. The build puts its source in the place of this file. */
export function helperShape(): ValidateFunction {
  return (compiled ??= compileShape(helperSchema));
}
