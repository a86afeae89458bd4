import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { testBrowserPath } from './chromium.ts';

const root = join(import.meta.dirname, '..', '..');
const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');

/** The first of these paths at which there is something. */
function firstOf(paths: readonly string[]): string | undefined {
  return paths.find((path) => existsSync(path));
}

function inPath(program: string): string | undefined {
  return firstOf(folders.map((folder) => join(folder, program)));
}

function works(program: string, ...parameters: readonly string[]): boolean {
  return spawnSync(program, parameters, { stdio: 'ignore', timeout: 20_000 }).status === 0;
}

function versionsOf(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).toSorted((a, b) => Number(b) - Number(a)) : [];
}

const debian = '/usr/lib/postgresql';
/** The folder of PostgreSQL's programs, which Debian leaves out of the path. */
export const postgresPrograms = [...folders, ...versionsOf(debian).map((version) => join(debian, version, 'bin'))].find(
  (folder) => existsSync(join(folder, 'initdb')),
);

/** Go, and the folder for the sources of its libraries on Debian. */
export const go = firstOf(['/usr/bin/go', '/usr/local/go/bin/go']);
export const goLibraries = '/usr/share/gocode';
const chartLibraries = ['github.com/Masterminds/sprig', 'github.com/xeipuuv/gojsonschema', 'sigs.k8s.io/yaml'];

/** The path of Prometheus' own tool, which `scripts/install-promtool.sh` puts into the first place. */
export const promtoolPath = firstOf([join(root, '.cache/promtool/promtool')]) ?? inPath('promtool');

/** The folder of other products, which are installed apart from the server. */
export const peers = join(root, 'test/bench/peers');

/** What tests need beside the packages of npm. A test is skipped by name where its tool is not here. */
interface Tool {
  readonly title: string;
  readonly isHere: () => boolean;
  /** What brings it here: a script of ours, or a command. */
  readonly how: string;
}

const tools = {
  chromium: {
    title: 'Chromium',
    isHere: () => testBrowserPath !== undefined,
    how: 'scripts/install-chromium.sh',
  },
  postgres: {
    title: 'PostgreSQL',
    isHere: () => postgresPrograms !== undefined,
    how: 'scripts/install-databases.sh',
  },
  redis: { title: 'Redis', isHere: () => works('redis-server', '--version'), how: 'scripts/install-databases.sh' },
  nginx: { title: 'nginx', isHere: () => works('nginx', '-v'), how: 'scripts/install-databases.sh' },
  chart: {
    title: 'Go with the libraries of the chart',
    isHere: () => go !== undefined && chartLibraries.every((path) => existsSync(join(goLibraries, 'src', path))),
    how: 'scripts/install-chart-tools.sh',
  },
  promtool: {
    title: 'promtool',
    isHere: () => promtoolPath !== undefined,
    how: 'scripts/install-promtool.sh',
  },
  compiler: {
    title: 'C compiler',
    isHere: () => process.platform === 'linux' && works('cc', '--version'),
    how: 'apt-get install gcc libc6-dev',
  },
  copilotKit: {
    title: 'CopilotKit',
    isHere: () => existsSync(join(peers, 'node_modules/@copilotkit/runtime')),
    how: 'npm ci --prefix test/bench/peers',
  },
  curl: { title: 'curl', isHere: () => works('curl', '--version'), how: 'apt-get install curl' },
  python: {
    title: 'Python',
    isHere: () => works('python3', '-c', 'import py_compile'),
    how: 'apt-get install python3',
  },
  django: {
    title: 'Django',
    isHere: () => works('python3', '-c', 'import django'),
    how: 'apt-get install python3-django',
  },
  php: { title: 'PHP', isHere: () => works('php', '-r', 'exit(0);'), how: 'apt-get install php-cli' },
  ruby: { title: 'Ruby', isHere: () => works('ruby', '-e', 'require "openssl"'), how: 'apt-get install ruby' },
  java: { title: 'Java', isHere: () => works('java', '-version'), how: 'apt-get install default-jdk-headless' },
} as const satisfies Readonly<Record<string, Tool>>;

export type ToolName = keyof typeof tools;

/** Whether tests that need the tool can run. */
export function isHere(name: ToolName): boolean {
  return tools[name].isHere();
}

/** Why a test without the tool is skipped, for its title. */
export function lackOf(name: ToolName): string {
  const { title, how } = tools[name];
  return `no ${title} here: ${how}`;
}

/** The tools that are not here. The tests that need them are skipped. */
export function missingTools(): readonly Pick<Tool, 'title' | 'how'>[] {
  return Object.values(tools).filter((tool) => !tool.isHere());
}
