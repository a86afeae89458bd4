import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builtServer, processEnvironment } from '../support/process-environment.ts';

let folder: string;
let children: ChildProcessByStdio<null, Readable, Readable>[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'helper-process-'));
  children = [];
});
afterEach(async () => {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }
  rmSync(folder, { recursive: true, force: true });
});

interface Run {
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly exit: Promise<number | null>;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Resolves with the first match in what was printed so far or will be. */
  readonly printed: (pattern: RegExp) => Promise<RegExpExecArray>;
}

function helper(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
): Run {
  const child = spawn(process.execPath, [...flags, builtServer, ...words], {
    cwd: folder,
    env: { ...processEnvironment, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const output = { stdout: '', stderr: '' };
  const watchers = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
      for (const watcher of watchers) watcher();
    });
  }
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    exit,
    kill: (signal) => child.kill(signal),
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const match = pattern.exec(output.stdout + output.stderr);
          if (match === null) return;
          watchers.delete(look);
          resolve(match);
        };
        watchers.add(look);
        look();
        void exit.then(() => {
          reject(new Error(`ended without printing ${String(pattern)}:\n${output.stdout}${output.stderr}`));
        });
      }),
  };
}

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

const head = 'appName: Desk\nchatClient: demo\nmodels: { demo: { provider: demo } }\nstorage: { type: memory }\n';
const withPlugins = `${head}actions: { plugins: [plugins] }\nserver: { port: 0 }\n`;
const start = ['start', '--config', 'helper.yaml'];

/** Makes the process look as if it was started by the link that npm makes for `bin`. */
const asBin = `data:text/javascript,process.argv[1] = '/usr/local/bin/helper';`;

describe('helper check (contract/configuration.md#commands)', () => {
  // proves configuration-1-10, service-4.2-05, wire-6-12
  it('finds nothing wrong with what helper init wrote, and says what would be served', async () => {
    expect(await helper(['init', 'mine']).exit).toBe(0);
    const check = helper(['check', '--json', '--config', 'mine/helper.yaml']);
    expect(await check.exit).toBe(0);
    const result: unknown = JSON.parse(check.stdout());
    expect(result).toMatchObject({ ok: true, faults: [], warnings: [], agents: [] });
    expect(result).toMatchObject({
      actions: [
        { name: 'list_tasks', readOnly: true, asks: false, reason: null, roles: [] },
        { name: 'add_task', readOnly: false, asks: true },
        { name: 'complete_task', readOnly: false, asks: true },
      ],
    });
  });

  it('prints the same as a table, and calls the configuration what HELPER_CONFIG calls it', async () => {
    expect(await helper(['init', 'mine']).exit).toBe(0);
    const check = helper(['check'], { HELPER_CONFIG: 'mine/helper.yaml' });
    expect(await check.exit).toBe(0);
    expect(check.stdout()).toMatch(/list_tasks +reads +does not ask/);
    expect(check.stdout()).toMatch(/\/helper\/chat +open to anyone/);
  });

  it('reports every fault with its place and exits with 78, as JSON', async () => {
    write({ 'helper.yaml': `${head}actions: none\nbogus: 1\nserver: { port: x }\n` });
    const check = helper(['check', '--json', '--config', 'helper.yaml']);
    expect(await check.exit).toBe(78);
    expect(JSON.parse(check.stdout())).toMatchObject({
      ok: false,
      faults: [
        { file: 'helper.yaml', line: 6, column: 1, path: 'bogus', suggestion: null },
        { file: 'helper.yaml', line: 7, column: 17, path: 'server.port' },
      ],
      actions: [],
    });
  });

  it('reports what is wrong with a plugin like any other fault', async () => {
    write({ 'helper.yaml': withPlugins, 'plugins/bad/index.js': 'throw new Error("no database");' });
    const check = helper(['check', '--config', 'helper.yaml']);
    expect(await check.exit).toBe(78);
    expect(check.stderr()).toMatch(/plugins\/bad\/index\.js.*no database/);
  });
});

describe('a plugin with a pattern that can backtrack without bound (contract/plugins.md#plugins)', () => {
  it('keeps the server from starting, and is named with its place', async () => {
    write({
      'helper.yaml': withPlugins,
      'plugins/desk/index.js': `export default { name: 'desk', actions: [{ name: 'find', description: 'Finds.',
        parameters: { type: 'object', properties: { code: { type: 'string', pattern: '^(a|a)*b$' } } }, execute() {} }] };`,
    });
    const run = helper(start);
    expect(await run.exit).toBe(78);
    expect(run.stderr()).toMatch(
      /plugins\/desk\/index\.js desk\.actions\.find\.parameters: .*properties\.code: the pattern "\^\(a\|a\)\*b\$" can backtrack/,
    );
  });
});

describe('a plugin that only looks like one (contract/plugins.md#plugins)', () => {
  it.each([
    ['a promise', "Promise.resolve({ name: 'odd' })"],
    ['what never resolves', "{ name: 'odd', then() {} }"],
    ['a function', "() => ({ name: 'odd' })"],
  ])('is a fault when it exports %s', async (_title, exported) => {
    write({ 'helper.yaml': withPlugins, 'plugins/odd/index.js': `export default ${exported};` });
    const check = helper(['check', '--config', 'helper.yaml']);
    expect(await check.exit).toBe(78);
    expect(check.stderr()).toContain('plugins/odd/index.js odd: has no default export made by definePlugin');
  });
});

describe('faults that only show with the plugins (contract/configuration.md#faults)', () => {
  it('are told with their place in the configuration, as all others', async () => {
    write({
      'helper.yaml': `${head}actions: { plugins: [plugins] }
pluginOptions:
  desk: { url: 5, usr: x }
  dsk: {}
`,
      'plugins/desk/index.js': `export default { name: 'desk', configSchema: { type: 'object', additionalProperties: false,
        properties: { url: { type: 'string' }, user: { type: 'string' } }, required: ['user'] } };`,
    });
    const check = helper(['check', '--config', 'helper.yaml']);
    expect(await check.exit).toBe(78);
    const places = check
      .stderr()
      .split('\n')
      .slice(0, -3)
      .map((line) => line.split(': ')[0]);
    expect(places.sort()).toEqual([
      'helper.yaml:7:11 pluginOptions.desk.url',
      'helper.yaml:7:19 pluginOptions.desk.usr',
      'helper.yaml:7:3 pluginOptions.desk.user',
      'helper.yaml:8:3 pluginOptions.dsk',
    ]);
  });

  it('are told for every regular expression that can backtrack without bound', async () => {
    write({
      'helper.yaml': `${head}actions: none
hitlMode: Native
onToolResult:
  - { tool: a, replace: [{ pattern: 'x', with: '' }, { pattern: '[a-z]+@[a-z]+', with: '***' }] }
onException:
  - { tool: a, message: m, error: '[a-z]{1,64}@[a-z]{1,64}' }
  - { tool: b, message: m, error: '^(a|a)*b$' }
autoApprovalRules:
  - { tool: c, when: { text: { matches: '(x+x+)+y' }, other: { matches: '^ok$' } } }
`,
    });
    const check = helper(['check', '--config', 'helper.yaml']);
    expect(await check.exit).toBe(78);
    const faults = check.stderr().split('\n').slice(0, -3);
    expect(faults.map((line) => line.split(': ')[0])).toEqual([
      'helper.yaml:8:56 onToolResult[0].replace[1].pattern',
      'helper.yaml:11:28 onException[1].error',
      'helper.yaml:13:32 autoApprovalRules[0].when.text.matches',
    ]);
    for (const fault of faults) expect(fault).toContain('can backtrack without bound');
  });

  it('name the environment variable that a value came from', async () => {
    write({
      'helper.yaml': head.replace('{ demo: { provider: demo } }', '{ demo: { plugin: nope } }') + 'actions: none\n',
    });
    const check = helper(['check', '--json', '--config', 'helper.yaml'], { HELPER__PLUGINOPTIONS__X: '{}' });
    expect(await check.exit).toBe(78);
    expect(JSON.parse(check.stdout())).toMatchObject({
      faults: [{ file: 'environment variable HELPER__PLUGINOPTIONS__X', line: null, path: 'pluginOptions.x' }],
    });
    const other = helper(['check', '--config', 'helper.yaml']);
    expect(await other.exit).toBe(78);
    expect(other.stderr()).toMatch(/^helper\.yaml:3:11 models\.demo: .*"nope"/);
  });
});

describe('helper start', () => {
  it('says in one sentence that the storage cannot be used, and exits with 1', async () => {
    write({ taken: '', 'helper.yaml': `${head.replace('type: memory', 'path: taken')}actions: none\n` });
    const run = helper(start);
    expect(await run.exit).toBe(1);
    expect(run.stderr()).toMatch(/^storage\.path: .*taken cannot be used: .* set storage\.path to a folder\.\n$/);
  });

  it('ends at once with 0 when it is told to stop before it is ready (contract/restarts.md#stopping)', async () => {
    write({
      'helper.yaml': withPlugins,
      'plugins/slow/index.js': `export default { name: 'slow', start() { console.log('starting'); return new Promise(() => {}); } };`,
    });
    const run = helper(start);
    await run.printed(/starting/);
    run.kill('SIGTERM');
    expect(await run.exit).toBe(0);
    expect(run.stderr()).toBe('');
  });

  it('outlives a promise that a plugin leaves rejected, and logs it', async () => {
    write({
      'helper.yaml': withPlugins,
      'plugins/loose/index.js': `export default { name: 'loose', start() {
        setTimeout(() => { Promise.reject(new Error('nobody waits for this')); }, 1);
        setTimeout(() => { console.log('still here'); }, 50);
      } };`,
    });
    const run = helper(start);
    const [line] = await run.printed(/\{.*nobody waits for this.*\}/);
    expect(JSON.parse(line)).toMatchObject({
      level: 'error',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
    });
    expect(line).toContain('"msg":"a promise was rejected and nobody waited for it"');
    await run.printed(/still here/);
    run.kill('SIGTERM');
    expect(await run.exit).toBe(0);
  });

  // proves configuration-1-07, service-2.2-01, service-7-02
  it('prints every fault to stderr and exits with 78 (contract/configuration.md#faults)', async () => {
    write({ 'helper.yaml': `${head}actions: none\nchatClinet: x\n` });
    const run = helper(start);
    expect(await run.exit).toBe(78);
    expect(run.stdout()).toBe('');
    expect(run.stderr()).toBe(
      'helper.yaml:6:1 chatClinet: unknown key (did you mean chatClient?)\n\n1 fault; nothing was started.\n',
    );
  });

  // proves wire-10-11
  it('announces itself as a log line, serves, is healthy, and exits with 0 on SIGTERM (contract/operations.md#probes)', async () => {
    write({ 'helper.yaml': `${head}actions: none\ndemoPage: true\n` });
    const run = helper(start, { HELPER__SERVER__PORT: '0' });
    const [line] = await run.printed(/\{.*"demoPage".*\}/);
    expect(JSON.parse(line)).toMatchObject({ model: 'demo', demoModel: true });
    const { port } = new URL(String((JSON.parse(line) as { url: unknown }).url)); // the line matched above holds it
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    const health = helper(['health', '--config', 'helper.yaml'], { HELPER__SERVER__PORT: port });
    expect(await health.exit).toBe(0);
    run.kill('SIGTERM');
    expect(await run.exit).toBe(0);
    expect(run.stdout()).toMatch(/"msg":"told to stop: running turns may finish"\}\n.*"msg":"stopped"\}\n$/);
    expect(run.stderr()).toBe('');
  });

  it('prints plain lines where logs are readable, and ends with 0 on SIGINT', async () => {
    write({ 'helper.yaml': `${head}actions: none\nserver: { port: 0 }\nlogging: { format: pretty }\n` });
    const run = helper(start);
    await run.printed(/Desk is ready\. Stop it with Ctrl\+C\.[\s\S]*Open to anyone.*\/helper\/chat/);
    run.kill('SIGINT');
    expect(await run.exit).toBe(0);
  });

  it('says in one sentence that the port is in use, and exits with 1', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => {
      taken.listen(0, '127.0.0.1', resolve);
    });
    const { port } = taken.address() as AddressInfo; // it listens on TCP
    write({ 'helper.yaml': `${head}actions: none\nserver: { port: ${String(port)} }\n` });
    const run = helper(start);
    expect(await run.exit).toBe(1);
    expect(run.stderr()).toBe(
      `Port ${String(port)} is in use: stop the program that has it, or set another one with server.port (HELPER__SERVER__PORT=8081).\n`,
    );
    await new Promise((resolve) => taken.close(resolve));
  });

  it('ends at once on the second signal', async () => {
    const stop = 'stop: () => { console.log("stopping"); return new Promise(() => {}); }';
    write({
      'helper.yaml': withPlugins,
      'plugins/slow/index.js': `export default { name: 'slow', actions: [], ${stop} };`,
    });
    const run = helper(start);
    await run.printed(/Desk is ready/);
    run.kill('SIGTERM');
    await run.printed(/stopping/);
    run.kill('SIGTERM');
    expect(await run.exit).toBe(1);
  });

  it('never lets LangChain send conversations to a third party', async () => {
    const names = ['LANGSMITH_TRACING', 'LANGSMITH_TRACING_V2', 'LANGCHAIN_TRACING', 'LANGCHAIN_TRACING_V2'];
    write({
      'helper.yaml': withPlugins,
      'plugins/x/index.js': `throw new Error(${JSON.stringify(names)}.map((name) => process.env[name]).join());`,
    });
    const run = helper(start, Object.fromEntries(names.map((name) => [name, 'true'])));
    expect(await run.exit).toBe(78);
    expect(run.stderr()).toContain('false,false,false,false');
  });
});

describe('the project that helper init writes', () => {
  const compiler = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');
  const compile = (project: string): { readonly status: number | null; readonly stdout: string } =>
    spawnSync(process.execPath, [compiler, '-p', join(folder, project)], { encoding: 'utf8' });

  it('is known to an editor: its plugin has no fault, and a wrong name is one', async () => {
    expect(await helper(['init', 'mine']).exit).toBe(0);
    expect(compile('mine')).toMatchObject({ status: 0, stdout: '' });
    const plugin = readFileSync(join(folder, 'mine/plugins/tasks/index.js'), 'utf8');
    write({ 'mine/plugins/tasks/index.js': plugin.replace('readOnly: true', 'readonly: true') });
    expect(compile('mine').stdout).toContain("'readonly' does not exist in type 'ActionDefinition");
  });

  it('is served by its script that looks for changes', async () => {
    expect(await helper(['init', 'mine']).exit).toBe(0);
    const dev = spawn('npm', ['run', 'dev'], {
      cwd: join(folder, 'mine'),
      env: { ...process.env, HELPER__SERVER__PORT: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let printed = '';
    for (const stream of [dev.stdout, dev.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
    const gone = once(dev, 'close');
    await expect.poll(() => printed).toMatch(/"demoPage":"http/);
    const before = printed.length;
    const file = join(folder, 'mine/plugins/tasks/index.js');
    writeFileSync(file, readFileSync(file, 'utf8').replace('Read the configuration', 'Read it'));
    await expect.poll(() => printed.slice(before)).toMatch(/"demoPage":"http/);
    process.kill(-(dev.pid ?? 0), 'SIGKILL');
    await gone;
  });

  it('has scripts that check and start it, and leaves a package.json as it is that is there', async () => {
    expect(await helper(['init', 'mine']).exit).toBe(0);
    const check = spawnSync('npm', ['run', 'check'], { cwd: join(folder, 'mine'), encoding: 'utf8' });
    expect(check.stdout).toMatch(/list_tasks +reads +does not ask/);
    write({ 'other/package.json': '{"name":"other"}' });
    const called = helper(['init', 'other']);
    expect(await called.exit).toBe(0);
    expect(called.stdout()).not.toContain('wrote other/package.json');
    expect(readFileSync(join(folder, 'other/package.json'), 'utf8')).toBe('{"name":"other"}');
  });
});

describe('the next step that helper init tells', () => {
  it('is typed the way the command was called, by npx for one', async () => {
    const called = helper(['init', 'one'], { npm_command: 'exec' }, ['--import', asBin]);
    expect(await called.exit).toBe(0);
    expect(called.stdout()).toContain('\n  npx helper start --config one/helper.yaml\n');
    const installed = helper(['init', 'two'], {}, ['--import', asBin]);
    expect(await installed.exit).toBe(0);
    expect(installed.stdout()).toContain('\n  helper start --config two/helper.yaml\n');
  });
});

describe('an older Node', () => {
  it('is told in one sentence what to do', async () => {
    const pretend = 'Object.defineProperty(process, "versions", { value: { node: "20.11.0" } })';
    const run = helper(['help'], {}, ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`]);
    expect(await run.exit).toBe(1);
    expect(run.stdout()).toBe('');
    expect(run.stderr()).toMatch(/^Helper needs Node 24 or newer, and this is Node 20\.11\.0: .*npm start.*\n$/);
  });
});
