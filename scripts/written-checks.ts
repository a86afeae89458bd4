/**
 * Checks of schemas that never change, as JavaScript. The built server imports them, where its source compiles them: compiling takes a fifth of
 * a start.
 */
import { dirname } from 'node:path';
import { _, type ValidateFunction } from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import type { Plugin } from 'esbuild';
import { metaSchemaCompiler } from '../src/adapters/shared/meta-schema/compile-meta-schema.ts';
import { helperSchema } from '../src/config/schema/helper.schema.ts';
import { shapeCompiler } from '../src/config/shape/compile-shape.ts';

/** The source of `src/config/shape/helper-shape.ts`. */
export function shapeSource(): string {
  const ajv = shapeCompiler({ code: { source: true, esm: true, formats: _`acceptedFormats` } });
  const source = sourceOf(ajv, ajv.compile(helperSchema));
  return `import { acceptedFormats } from './accepted-formats.ts';\n${source}\nexport const helperShape = () => validate;`;
}

/** The source of `src/adapters/shared/meta-schema/meta-schema-check.ts`. */
export function metaSchemaSource(): string {
  const { ajv, check } = metaSchemaCompiler({ code: { source: true, esm: true } });
  return `${sourceOf(ajv, check)}\nexport const metaSchemaCheck = () => validate;`;
}

/** Puts the written checks in the place of the modules that compile them. */
export function checksAsSource(): Plugin {
  const sources = [
    { filter: /\/src\/config\/shape\/helper-shape\.ts$/, source: shapeSource },
    { filter: /\/src\/adapters\/shared\/meta-schema\/meta-schema-check\.ts$/, source: metaSchemaSource },
  ];
  return {
    name: 'checks-as-source',
    setup(building) {
      for (const { filter, source } of sources)
        building.onLoad({ filter }, ({ path }) => ({ contents: source(), loader: 'js', resolveDir: dirname(path) }));
    },
  };
}

function sourceOf(ajv: Parameters<typeof standaloneCode.default>[0], check: ValidateFunction): string {
  return (
    standaloneCode
      .default(ajv, check)
      // Ajv writes `require` for its own helpers, also in a module.
      .replaceAll(
        /const (\w+) = require\("([^"]+)"\)\.default;/gu,
        'import $1Module from "$2.js"; const $1 = $1Module.default;',
      )
  );
}
