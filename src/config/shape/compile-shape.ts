import type { ValidateFunction } from 'ajv';
import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import type { SettingSchema } from '../schema/setting-schema.ts';
import { acceptedFormats } from './accepted-formats.ts';

/** Keywords of settings that say nothing about values. */
const annotations = ['unit', 'secret', 'relativeTo', 'knownValues', 'needs', 'allowed'];

/** Compiles the check of a schema of settings, which also fills in what was left out. */
export function compileShape(schema: SettingSchema): ValidateFunction {
  return shapeCompiler({}).compile(schema);
}

/** What compiles schemas of settings. */
export function shapeCompiler(options: Options): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    useDefaults: true,
    allowUnionTypes: true,
    strictRequired: false,
    addUsedSchema: false,
    formats: acceptedFormats,
    ...options,
  });
  ajv.addVocabulary(annotations);
  // A macro, since that is what can be written as source.
  ajv.addKeyword({ keyword: 'positive', type: 'string', macro: () => ({ format: 'positive' }) });
  return ajv;
}
