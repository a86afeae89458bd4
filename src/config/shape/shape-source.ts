import { _ } from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import type { SettingSchema } from '../schema/setting-schema.ts';
import { shapeCompiler } from './compile-shape.ts';

/**
 * The check of a schema as JavaScript, with which the built server starts: compiling takes a seventh of a start. The module exports
 * `helperShape`, and imports `acceptedFormats` from beside this file.
 */
export function shapeSource(schema: SettingSchema): string {
  const ajv = shapeCompiler({ code: { source: true, esm: true, formats: _`acceptedFormats` } });
  const source = standaloneCode
    .default(ajv, ajv.compile(schema))
    // Ajv writes `require` for its own helpers, also in a module.
    .replaceAll(
      /const (\w+) = require\("([^"]+)"\)\.default;/gu,
      'import $1Module from "$2.js"; const $1 = $1Module.default;',
    );
  return `import { acceptedFormats } from './accepted-formats.ts';\n${source}\nexport const helperShape = () => validate;`;
}
