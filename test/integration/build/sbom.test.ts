import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { makeBom } from '../../../scripts/sbom.ts';
import { shippedPackages } from '../../../scripts/sbom/shipped-packages.ts';

const root = join(import.meta.dirname, '../../..');
const schemas = join(root, 'node_modules/@cyclonedx/cyclonedx-library/res/schema');
const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

describe('the list of what is shipped', () => {
  const bom = makeBom({ image: false });
  const names = bom.components.map(({ name }) => name);

  it('is valid by the schema of CycloneDX', () => {
    const ajv = new Ajv({ strict: false });
    for (const format of ['date-time', 'email', 'idn-email', 'iri-reference', 'uri']) ajv.addFormat(format, true);
    // The schemas are added under the names by which the main schema refers to them.
    for (const file of ['spdx.SNAPSHOT.schema.json', 'jsf-0.82.SNAPSHOT.schema.json'])
      ajv.addSchema(read(join(schemas, file)) as object, `http://cyclonedx.org/schema/${file}`);
    const validate = ajv.compile(read(join(schemas, 'bom-1.5.SNAPSHOT.schema.json')) as object);
    expect(validate(bom) || validate.errors).toBe(true);
  });

  it('holds every package that the server is installed with, and those that are built into it', () => {
    const { dependencies } = read(join(root, 'package.json')) as { dependencies: Readonly<Record<string, string>> };
    expect(names).toEqual(expect.arrayContaining([...Object.keys(dependencies), 'preact', 'recheck']));
    expect(names).not.toContain('typescript');
    expect(bom.metadata.component.name).toBe('helper-server');
  });

  it('says of each package what it needs, and names nothing that it does not hold', () => {
    const refs = new Set([bom.metadata.component, ...bom.components].map((component) => component['bom-ref']));
    const named = bom.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
    expect(named.filter((ref) => !refs.has(ref))).toEqual([]);
    expect(bom.dependencies.length).toBe(refs.size);
  });

  it('is the same whenever it is made, but for a time that is given', () => {
    expect(makeBom({ image: false })).toEqual(bom);
    expect(bom.metadata.timestamp).toBeUndefined();
    expect(makeBom({ image: false, seconds: 86_400 }).metadata.timestamp).toBe('1970-01-02T00:00:00.000Z');
  });

  it('is headed by labels and a chart of the same version', () => {
    const { version } = read(join(root, 'package.json')) as { version: string };
    expect(readFileSync(join(root, 'Dockerfile'), 'utf8')).toContain(`ARG VERSION=${version}\n`);
  });
});

describe('shippedPackages', () => {
  const lock = {
    packages: {
      '': { version: '1.0.0' },
      'node_modules/runs': { version: '1.0.0' },
      'node_modules/runs/node_modules/below': { version: '2.0.0' },
      'node_modules/below': { version: '3.0.0', dev: true },
      'node_modules/built-in': { version: '4.0.0', dev: true },
      'node_modules/@scope/late': { version: '5.0.0', dev: true },
      'node_modules/types': { version: '6.0.0', dev: true },
      'node_modules/perhaps': { version: '7.0.0', optional: true },
    },
  };
  const devDependencies = { 'built-in': '1', '@scope/late': '1', types: '1', below: '1' };

  it('takes what is installed, and of development packages only those whose values the sources import', () => {
    const sources = [
      "import { h } from 'built-in/jsx';\nimport type { A } from 'types';\nimport { b } from './below.ts';",
      "const late = await import('@scope/late/part.js');",
    ];
    expect([...shippedPackages(lock, { devDependencies }, sources)]).toEqual([
      'runs@1.0.0',
      'below@2.0.0',
      'built-in@4.0.0',
      '@scope/late@5.0.0',
    ]);
  });
});
