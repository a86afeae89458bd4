import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');

/** The configuration of dependency-cruiser, a CommonJS file of our own. */
const configuration = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs')) as {
  readonly forbidden: readonly { readonly name: string }[];
};

const floorRule = 'core-floor-';

/** The layers of the core below `create-assistant.ts`, from top to bottom, as the rules name them. */
const floors = configuration.forbidden.flatMap(({ name }) =>
  name.startsWith(floorRule) ? [name.slice(floorRule.length)] : [],
);

/** Files in which each layer imports from the layer above it. They would also reveal two layers in the wrong order. */
const looksUp = Object.fromEntries(
  floors.map((floor, index) => {
    const above = index === 0 ? 'create-assistant.ts' : fileOf(floors[index - 1] ?? '');
    const file = fileOf(floor).replace('leaf', 'looks-up');
    const from = file.includes('/') ? '../' : './';
    return [`${floorRule}${floor}`, [`core/${file}`, `import '${from}${above}';`] as const];
  }),
);

function fileOf(floor: string): string {
  return floor === 'assistant' ? 'assistant.ts' : `${floor}/leaf.ts`;
}

/** For each rule, a file of `src` that breaks it. */
const violations: Readonly<Record<string, readonly [file: string, text: string]>> = {
  'no-cycles': ['core/cycle-one.ts', "import type { Two } from './cycle-two.ts'; export interface One { two: Two }"],
  'nothing-unresolved': ['core/lost.ts', "import './nowhere.ts';"],
  'main-knows-the-cli': ['main.ts', "import './app.ts';"],
  'cli-knows-app-and-config': ['cli/start.ts', "import '../core/leaf.ts';"],
  'index-is-the-public-surface': ['index.ts', "import './core/leaf.ts';"],
  'nobody-knows-main': ['cli/again.ts', "import '../main.ts';"],
  'nobody-knows-the-cli': ['app.ts', "import './cli/leaf.ts';"],
  'the-app-is-the-top': ['channels/sse/top.ts', "import '../../app.ts';"],
  'config-knows-core': ['config/loader.ts', "import '../wire/leaf.ts';"],
  'config-knows-only-core-types': [
    'config/values.ts',
    "import { leaf } from '../core/leaf.ts'; export const x = leaf;",
  ],
  'config-uses-ajv-and-yaml': ['config/logs.ts', "import 'pino';"],
  'core-knows-only-core': ['core/wired.ts', "import type { Leaf } from '../wire/leaf.ts'; export type X = Leaf;"],
  ...looksUp,
  'every-room-of-the-core-has-a-floor': ['core/annex/new.ts', "import '../base/leaf.ts';"],
  'core-has-no-packages': ['core/packaged.ts', "import 'yaml';"],
  'core-does-no-io': ['core/reading.ts', "import 'node:fs/promises';"],
  'channels-know-core-and-wire': ['channels/sse/adapted.ts', "import '../../adapters/stores/leaf.ts';"],
  'channels-are-strangers': ['channels/sse/neighbour.ts', "import '../hub/leaf.ts';"],
  'channels-use-fastify': ['channels/sse/packaged.ts', "import 'yaml';"],
  'one-codec-uses-message-pack': ['channels/sse/binary.ts', "import '@msgpack/msgpack';"],
  'the-hub-protocol-stands-alone': ['channels/hub/protocol/knowing.ts', "import '../leaf.ts';"],
  'hub-codecs-know-no-connection': ['channels/hub/protocol/codec/knowing.ts', "import '../connection/knowing.ts';"],
  'hub-connections-know-no-transport': [
    'channels/hub/protocol/connection/knowing.ts',
    "import '../transports/leaf.ts';",
  ],
  'adapters-know-core-and-contracts': ['adapters/stores/configured.ts', "import '../../config/leaf.ts';"],
  'adapters-are-strangers': ['adapters/stores/neighbour.ts', "import '../models/leaf.ts';"],
  'wire-is-a-leaf': ['wire/importing.ts', "import 'ajv';"],
  'plugin-api-is-a-leaf': ['plugin-api/importing.ts', "import '../core/leaf.ts';"],
  'widget-knows-wire': ['widget/importing.ts', "import '../core/leaf.ts';"],
  'the-hub-client-stands-alone': ['widget/transport/signalr/knowing.ts', "import '../../leaf.ts';"],
  'nobody-knows-the-widget': ['channels/widget/serving.ts', "import '../../widget/leaf.ts';"],
  'dashboard-knows-wire': ['dashboard/importing.ts', "import '../core/leaf.ts';"],
  'nobody-knows-the-dashboard': ['channels/dashboard/serving.ts', "import '../../dashboard/leaf.ts';"],
  'fastify-stays-outside': ['adapters/stores/served.ts', "import 'fastify';"],
  'langchain-has-its-place': ['adapters/stores/chained.ts', "import '@langchain/core/messages';"],
  'mcp-has-its-place': ['adapters/stores/mcp.ts', "import '@modelcontextprotocol/client';"],
  'a2a-has-its-place': ['adapters/stores/a2a.ts', "import '@a2a-js/sdk';"],
  'openapi-has-its-place': ['adapters/stores/openapi.ts', "import '@seriousme/openapi-schema-validator';"],
  'html-has-its-place': ['adapters/stores/html.ts', "import 'parse5';"],
  'tokens-have-their-place': ['adapters/stores/signed.ts', "import 'jose';"],
  'opentelemetry-has-its-place': ['adapters/models/traced.ts', "import '@opentelemetry/api';"],
  'redis-has-its-place': ['adapters/models/asked.ts', "import 'ioredis';"],
  'sql-has-its-place': ['adapters/models/stored.ts', "import 'kysely';"],
  'no-dev-packages-at-run-time': ['adapters/models/tested.ts', "import 'zod';"],
  'src-does-not-know-tests': ['core/tested.ts', "import '../../test/leaf.ts';"],
};

const leaves = [
  ...[
    'core',
    'wire',
    'cli',
    'config',
    'widget',
    'dashboard',
    'channels/hub',
    'channels/hub/protocol/transports',
    'adapters/stores',
    'adapters/models',
  ].map((folder) => `src/${folder}/leaf.ts`),
  'src/core/create-assistant.ts',
  ...floors.filter((floor) => floor !== 'assistant').map((floor) => `src/core/${fileOf(floor)}`),
  'test/leaf.ts',
];

interface CruiseReport {
  readonly summary: {
    readonly violations: readonly { readonly from: string; readonly rule: { readonly name: string } }[];
  };
}

let folder: string;
let found: ReadonlySet<string>;

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'layers-'));
  for (const file of ['.dependency-cruiser.cjs', 'tsconfig.json', 'package.json'])
    await cp(join(root, file), join(folder, file));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const path of leaves) await write(path, 'export const leaf = 1; export type Leaf = number;');
  for (const [path, text] of Object.values(violations)) await write(join('src', path), text);
  await write('src/core/cycle-two.ts', "import type { One } from './cycle-one.ts'; export interface Two { one: One }");
  const program = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const run = promisify(execFile)(process.execPath, [program, 'src', '--output-type', 'json'], {
    cwd: folder,
    maxBuffer: 64 * 2 ** 20,
  });
  const { stdout } = await run;
  // dependency-cruiser's documented report.
  const report = JSON.parse(stdout) as CruiseReport;
  found = new Set(report.summary.violations.map((violation) => `${violation.rule.name} ${violation.from}`));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('the layers', () => {
  it('have a deliberate violation here for every rule', () => {
    expect(Object.keys(violations).sort()).toEqual(configuration.forbidden.map((rule) => rule.name).sort());
  });

  it.each(Object.entries(violations))('are guarded by %s', (rule, [file]) => {
    expect(found).toContain(`${rule} src/${file}`);
  });

  it('are a floor for every room of the core', async () => {
    const rooms = (await readdir(join(root, 'src/core'))).map((name) => name.replace('.ts', ''));
    expect(rooms.filter((name) => name !== 'create-assistant').sort()).toEqual([...floors].sort());
  });
});
