import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { chartFolder, generatedChartFiles } from '../../../scripts/chart.ts';
import { migrationMs } from '../../../src/adapters/stores/postgres/migrate-postgres.ts';
import { defaultWaits } from '../../../src/adapters/stores/postgres/open-postgres-stores.ts';
import { describedValues } from '../../../scripts/chart/described-values.ts';

const root = join(chartFolder, '..', '..');
const read = (path: string): string => readFileSync(join(chartFolder, path), 'utf8');
const generated = await generatedChartFiles();

/** The part of `values.yaml` that says how long a start may take. */
interface Probed {
  readonly probes: { readonly startup: { readonly periodSeconds: number; readonly failureThreshold: number } };
}

describe('the files of the chart', () => {
  it.each([...generated])('%s is not stale; else run npm run generate', (name, text) => {
    expect(read(name)).toBe(text);
  });

  it('belong to this version of the server', () => {
    const { version } = parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }; // our own file
    expect(parse(read('Chart.yaml'))).toMatchObject({ apiVersion: 'v2', name: 'helper', version, appVersion: version });
  });

  it('are all that a chart may hold', () => {
    const names = globSync('**', { cwd: chartFolder, withFileTypes: true }).filter((entry) => entry.isFile());
    const own = ['Chart.yaml', 'README.md', 'values.schema.json', 'values.yaml'];
    const monitoring = ['monitoring/dashboard.json', 'monitoring/rules.yaml'];
    const others = names
      .map(({ parentPath, name }) => join(parentPath, name).slice(chartFolder.length + 1))
      .filter(
        (path) =>
          ![...own, ...monitoring].includes(path) && !/^templates\/(_?[a-z]+\.(yaml|tpl)|NOTES\.txt)$/.test(path),
      );
    expect(others).toEqual([]);
  });

  // proves configuration-5-98
  it('leave a start more time than it may wait, and a step of its migration may take (contract/replicas.md#deploying)', () => {
    const { startup } = (parse(read('values.yaml')) as Probed).probes; // our own file
    const { databaseMs, otherServerMs } = defaultWaits;
    // Another server may migrate before, and fail.
    const longestMs = databaseMs + otherServerMs + 2 * migrationMs;
    expect(startup.periodSeconds * startup.failureThreshold * 1_000).toBeGreaterThan(longestMs + 60_000);
  });

  it('read no value that does not exist', () => {
    const known = new Set(describedValues(read('values.yaml')).map(({ path }) => path));
    const used = globSync('templates/*', { cwd: chartFolder }).flatMap((path) =>
      [...read(path).matchAll(/\.Values\.([A-Za-z.]+)/g)].map(([, value = '']) => value),
    );
    expect(used.length).toBeGreaterThan(50);
    expect(used.filter((value) => !value.startsWith('config') && !known.has(value))).toEqual([]);
  });

  it('have no value that nothing reads', () => {
    const texts = globSync('templates/*', { cwd: chartFolder }).map(read).join('\n');
    const values = describedValues(read('values.yaml')).map(({ path }) => path);
    // The templates read these values through a list of names: the probes, and the values that an ingress and a route have in common.
    const byName = /^(probes|(ingress|httpRoute)\.(enabled|host))$/;
    const unread = values.filter((path) => !byName.test(path) && !texts.includes(`.Values.${path}`));
    expect(unread).toEqual([]);
  });
});

describe('the schema of the values', () => {
  const schema = JSON.parse(generated.get('values.schema.json') ?? '') as object; // made from our own file
  const validate = new Ajv({ strict: true, strictTypes: false, strictRequired: false, allowUnionTypes: true }).compile(
    schema,
  );
  const accepts = (values: unknown): boolean => validate(values);

  it('takes the values of the chart', () => {
    expect(accepts(parse(read('values.yaml'))) || validate.errors).toBe(true);
  });

  it('takes the shipped configuration of the server, for a container', () => {
    const shipped = parse(readFileSync(join(root, 'config/helper.yaml'), 'utf8')) as object; // our own file
    expect(accepts({ config: { ...shipped, storage: { path: '/data' } } }) || validate.errors).toBe(true);
  });

  it('has no pattern that looks ahead, which Go cannot read', () => {
    expect(generated.get('values.schema.json')).not.toMatch(/\(\?[!=<]/);
  });

  it.each([
    { unknown: 1 },
    { service: { prot: 80 } },
    { config: { server: { prot: 80 } } },
    { replicas: -1 },
    { autoscaling: { cpuUtilization: 0 } },
    { podDisruptionBudget: { maxUnavailable: 'half' } },
    { config: { scaleOut: { type: '${BUS}' } } },
    { replicas: '1' },
    { service: { type: 'ExternalName' } },
    { secrets: ['a', 'a'] },
    { plugins: [{ name: 'Orders', configMap: 'orders' }] },
    { persistence: { size: 'much' } },
    { dashboards: { turns: { title: 'Turns' } } },
  ])('refuses %j', (values) => {
    expect(accepts(values)).toBe(false);
  });
});

describe('describedValues', () => {
  it('takes the comment directly above a value, and the groups around it', () => {
    expect(describedValues('# First\n# and second.\na: 1\n\n# Far away.\n\nb:\n  # Inside.\n  c: { d: 2 }\n')).toEqual([
      { path: 'a', description: 'First and second.', fallback: 1 },
      { path: 'b', description: '', fallback: { c: { d: 2 } } },
      { path: 'b.c', description: 'Inside.', fallback: { d: 2 } },
    ]);
  });

  it('refuses a value that says nothing of itself', () => {
    expect(() => describedValues('# Known.\na: 1\nb: 2\n')).toThrow('does not say what b is');
  });
});
