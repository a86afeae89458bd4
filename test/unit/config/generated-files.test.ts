import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { agentEditorSchema, editorSchema } from '../../../src/config/generate/editor-schema.ts';
import { generatedFiles } from '../../../src/config/generate/generated-files.ts';
import { loadSettings } from '../../../src/config/load-settings.ts';
import { helperSchema } from '../../../src/config/schema/helper.schema.ts';
import { childSchema, keysOf, type SettingSchema } from '../../../src/config/schema/setting-schema.ts';
import { loadedShapes } from './agents/sample-shapes.ts';
import { loadText, minimal } from './load-from-text.ts';

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const load = (file: string): ReturnType<typeof loadSettings> =>
  loadSettings({ file: new URL(file, root).pathname, environment: {} });

function* everySetting(schema: SettingSchema, path: string): Generator<readonly [string, SettingSchema]> {
  for (const key of keysOf(schema)) {
    const child = childSchema(schema, key) ?? {};
    yield [`${path}${key}`, child];
    yield* everySetting(child, `${path}${key}.`);
  }
  for (const inner of [schema.items, schema.additionalProperties]) {
    if (inner !== undefined && inner !== false) yield* everySetting(inner, `${path}*.`);
  }
}

describe('files made from the schema (contract/configuration.md)', () => {
  it.each(generatedFiles().map((file) => [file.path, file.content]))(
    '%s is not stale; else run npm run generate',
    (path, content) => {
      expect(read(path)).toBe(content);
    },
  );

  it.each([...everySetting(helperSchema, '')])('%s has a description of one sentence', (_path, setting) => {
    expect(setting.description).toMatch(/^[A-Za-z*].*\.$/s);
  });

  it('leaves no map open but those of names', () => {
    const open = [...everySetting(helperSchema, '')].filter(
      ([, { properties, additionalProperties, propertyNames }]) =>
        properties !== undefined && additionalProperties !== false && propertyNames === undefined,
    );
    expect(open).toEqual([]);
  });
});

describe('shipped configurations (contract/configuration.md)', () => {
  it('helper.full.yaml loads and holds exactly the defaults', () => {
    const {
      configFile: _file,
      configuration: _hash,
      isLanguageChosen: _set,
      ...full
    } = load('config/helper.full.yaml').settings;
    const {
      configFile: file,
      configuration: _otherHash,
      isLanguageChosen: _unset,
      ...defaults
    } = loadText(minimal.replace('Desk', 'My application')).settings ?? {};
    // The folder of skills stands beside its own file.
    const skillsFolder = resolve(dirname(file ?? ''), 'Skills');
    expect(full.skillsFolder).toBe(new URL('config/Skills', root).pathname);
    expect({ ...full, skillsFolder, storage: full.storage.type }).toEqual({ ...defaults, storage: 'embedded' });
  });

  it('helper.yaml loads, binds this machine only, and answers with the demo model', () => {
    const { settings } = load('config/helper.yaml');
    expect(settings).toMatchObject({
      appName: 'Order desk',
      demoPage: true,
      chatClient: 'demo',
      server: { host: '127.0.0.1', port: 8080 },
    });
  });

  it.each(['config/helper.yaml', 'config/helper.full.yaml'])('%s begins with its schema', (path) => {
    expect(read(path)).toMatch(/^# yaml-language-server: \$schema=\.\/helper\.schema\.json\n/);
  });

  it('helper.yaml shows models that load once their # is taken away', () => {
    const text = read('config/helper.yaml')
      .replaceAll(/^# {2}(main|local):/gm, '  $1:')
      .replace('../plugins', '.')
      .replace('path: documents', 'path: .')
      .replace('skillsFolder: skills', 'skillsFolder: .');
    const { settings, faults } = loadText(text, { environment: { OPENAI_API_KEY: 'k' } });
    expect(faults).toEqual([]);
    expect(Object.keys(settings?.models ?? {})).toEqual(['demo', 'main', 'local']);
  });
});

describe('helper.schema.json in an editor (contract/configuration.md)', () => {
  const validate = new Ajv2020({ strict: false }).compile(editorSchema());
  const accepts = (text: string): boolean => validate(parse(text));

  it.each([
    '',
    'confirmationTimeout: 15m\n',
    'confirmationTimeout: "00:15:00"\n',
    'confirmationTimeout: 0\n',
    'server: { port: "${PORT:-80}", maxBufferedBytes: 4MiB }\n',
    'server: { maxBufferedBytes: 1024 }\n',
    'server:\npages: ${PAGES}\n',
    'theme: Dark\nprimaryColor: null\ndemoPage: ${DEMO}\n',
    'auth: { jwt: { secret: "${SECRET}" } }\n',
    'auth: { jwt: { secret: ["${NEW}", "a secret that is long enough for HS256"] } }\n',
    'endpoints: { metrics: { token: ["${NEW}", "${OLD}"] } }\n',
    'pluginOptions: { desk: { any: [1, { thing: true }] } }\n',
    'models2: 1\n'.replace('models2: 1', 'botName: "${NAME} says"'),
  ])('accepts what the server accepts: %s', (lines) => {
    expect(accepts(minimal + lines)).toBe(true);
    expect(accepts(read('config/helper.yaml'))).toBe(true);
    expect(accepts(read('config/helper.full.yaml'))).toBe(true);
  });

  it.each([
    'bogus: 1\n',
    'confirmationTimeout: 30\n',
    'theme: Bright\n',
    'server: { prot: 1 }\n',
    'server: { port: 70000 }\n',
    'demoPage: yes please\n',
  ])('refuses %s', (lines) => {
    expect(accepts(minimal + lines)).toBe(false);
  });

  it('refuses a file without what must be given', () => {
    expect(accepts('appName: x\n')).toBe(false);
  });
});

describe('definitions of agents in an editor (contract/agents.md#definitions)', () => {
  const validate = new Ajv2020({ strict: false }).compile(agentEditorSchema());
  const accepts = (text: string): boolean => validate(parse(text));
  const team = 'kind: Team\nname: T\ndescription: d\nmode: handoff\nmembers: [A, B]\n';

  // proves extending-4-20
  it.each([
    ...loadedShapes.map(({ text }) => text),
    `${team}options: { start: A, handoffs: [{ from: A, to: B }], maxRounds: =Env.ROUNDS }\nhelper: { requiredRoles: [Sales] }\n`,
    'kind: RemoteAgent\nname: R\ndescription: d\nagentCardUrl: https://r.example\nheaders: { Authorization: =Env.T }\n',
  ])('agent.schema.json accepts what the server accepts: %s', (text) => {
    expect(accepts(text)).toBe(true);
  });

  // proves extending-4-20
  it.each([
    'kind: Prompt\n',
    'kind: Workflow\nname: W\n',
    'kind: Prompt\nname: A\ninstrctions: x\n',
    'kind: Prompt\nname: A\ntools: [{ kind: openapi, name: x }]\n',
    'kind: Prompt\nname: A\nmodel: { options: { temperature: 3 } }\n',
    team.replace('handoff', 'relay'),
    `${team}options: { maxRound: 1 }\n`,
  ])('agent.schema.json refuses %s', (text) => {
    expect(accepts(text)).toBe(false);
  });
});
