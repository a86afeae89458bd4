import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ValidateFunction } from 'ajv';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { helperSchema } from '../../../src/config/schema/helper.schema.ts';
import { compileShape } from '../../../src/config/shape/compile-shape.ts';
import { metaSchemaCompiler } from '../../../src/adapters/shared/meta-schema/compile-meta-schema.ts';
import { metaSchemaSource, shapeSource } from '../../../scripts/written-checks.ts';

const root = join(import.meta.dirname, '../../..');

/** A written check, as the built server has it: beside the packages, which it imports. `folderOfSource` is that of the module that it replaces. */
async function written(contents: string, folderOfSource: string, name: string): Promise<ValidateFunction> {
  const cache = join(root, 'node_modules/.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'shape-'));
  try {
    const outfile = join(folder, 'shape.mjs');
    await build({
      stdin: { contents, resolveDir: join(root, folderOfSource), loader: 'js' },
      ...{ bundle: true, packages: 'external', format: 'esm', platform: 'node', outfile },
    });
    // What the source exports is what ajv compiles.
    const checks = (await import(pathToFileURL(outfile).href)) as Record<string, () => ValidateFunction>;
    const check = checks[name];
    if (check === undefined) throw new Error(`the written check does not export ${name}`);
    return check();
  } finally {
    await rm(folder, { recursive: true });
  }
}

const sound = { appName: 'Orders', actions: { plugins: ['plugins'] } };

const configurations: readonly { readonly title: string; readonly value: object }[] = [
  { title: 'nothing', value: {} },
  { title: 'the least', value: sound },
  { title: 'unknown keys', value: { ...sound, colour: 'red', server: { prot: 1 } } },
  { title: 'values of other types', value: { ...sound, appName: 7, server: { port: 'x' }, ragSources: 'none' } },
  {
    title: 'a duration of nothing',
    value: { ...sound, dataProtection: { maxAge: '0s' }, confirmationTimeout: 'soon' },
  },
  { title: 'texts without their format', value: { ...sound, scaleOut: { type: 'redis', url: 'ftp://x' } } },
  { title: 'a name that no map takes', value: { ...sound, models: { 'a b': { provider: 'demo' }, c: 1 } } },
  {
    title: 'numbers and lists beyond their limits',
    value: { ...sound, server: { port: 1e9 }, appDescription: 'é'.repeat(9e4) },
  },
];

describe('the written check of a configuration (contract/configuration.md#faults)', () => {
  const compiled = compileShape(helperSchema);
  const source = written(shapeSource(), 'src/config/shape', 'helperShape');

  it.each(configurations)('says what the compiled one says, and fills in the same: $title', async ({ value }) => {
    const validate = await source;
    const [one, other] = [structuredClone(value), structuredClone(value)];
    expect([validate(one), validate.errors]).toEqual([compiled(other), compiled.errors]);
    expect(one).toEqual(other);
  });

  it('finds faults in most of them', async () => {
    const validate = await source;
    expect(configurations.filter(({ value }) => validate(structuredClone(value))).map(({ title }) => title)).toEqual([
      'the least',
    ]);
  });
});

const schemas: readonly { readonly title: string; readonly schema: object | boolean }[] = [
  { title: 'nothing', schema: {} },
  { title: 'all that there is', schema: true },
  { title: 'an unknown type', schema: { properties: { a: { type: 'strin' } } } },
  { title: 'values of other types', schema: { minimum: 'x', items: 5, required: 'a', enum: 3 } },
  { title: 'a fault deep inside', schema: { properties: { a: { anyOf: [{ items: { minLength: -1 } }] } } } },
  { title: 'references', schema: { $defs: { a: { $anchor: 'a b' } }, $ref: 7, $dynamicRef: '#a' } },
  { title: 'keywords of other tools', schema: { example: 1, nullable: true } },
];

describe('the written check of JSON Schemas (contract/plugins.md#plugins)', () => {
  const { check: compiled } = metaSchemaCompiler({});
  const source = written(metaSchemaSource(), 'src/adapters/shared/meta-schema', 'metaSchemaCheck');

  it.each(schemas)('says what the compiled one says: $title', async ({ schema }) => {
    const validate = await source;
    expect([validate(schema), validate.errors]).toEqual([compiled(schema), compiled.errors]);
  });

  it('finds faults in some of them', async () => {
    const validate = await source;
    expect(schemas.filter(({ schema }) => validate(schema)).map(({ title }) => title)).toEqual([
      'nothing',
      'all that there is',
      'keywords of other tools',
    ]);
  });
});
