import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { loadPlugins, type LoadPluginsOptions } from '../../../../src/adapters/plugin-directory/load-plugins.ts';
import type { LoadedPlugin } from '../../../../src/adapters/plugin-directory/loaded-plugin.ts';
import { type StartupFault, StartupFaults } from '../../../../src/core/errors/startup-fault.ts';
import type { Logger } from '../../../../src/core/ports/logger.ts';
import type { Tool, ToolContext } from '../../../../src/core/tools/tool.ts';

/** A new folder with a helper.yaml and a directory `plugins`. It is removed after the test. */
export class PluginWorkbench {
  readonly folder: string;
  readonly log = new RecordingLog();
  /** Paths that look like plugins but are none. */
  readonly overlooked: string[] = [];

  constructor(folder: string) {
    this.folder = folder;
  }

  static async open(files: Readonly<Record<string, string>> = {}): Promise<PluginWorkbench> {
    const folder = await mkdtemp(join(await realpath(tmpdir()), 'helper-plugins-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await mkdir(join(folder, 'plugins'));
    const bench = new PluginWorkbench(folder);
    await bench.write(files);
    return bench;
  }

  /** Paths are relative to the directory `plugins`. */
  async write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(this.path(path)), { recursive: true });
      await writeFile(this.path(path), text);
    }
  }

  path(path: string): string {
    return join(this.folder, 'plugins', path);
  }

  get configFile(): string {
    return join(this.folder, 'helper.yaml');
  }

  load(options: Partial<LoadPluginsOptions> = {}): Promise<readonly LoadedPlugin[]> {
    return loadPlugins({
      directories: ['plugins'],
      configFile: this.configFile,
      pluginOptions: {},
      appName: 'Shop',
      log: this.log,
      overlook: (code, message) => this.overlooked.push(`${code} ${message}`),
      ...options,
    });
  }

  /** Loads the only plugin of the directory. */
  async loadOne(options: Partial<LoadPluginsOptions> = {}): Promise<LoadedPlugin> {
    const [plugin, ...more] = await this.load(options);
    if (plugin === undefined || more.length > 0) throw new Error('expected exactly one plugin');
    return plugin;
  }

  /** Loads the plugins, which must fail. Resolves with the faults. */
  async faults(options: Partial<LoadPluginsOptions> = {}): Promise<readonly StartupFault[]> {
    return faultsOf(this.load(options));
  }
}

/** The faults with which a promise was rejected. The test fails when the promise was not rejected. */
export async function faultsOf(work: Promise<unknown>): Promise<readonly StartupFault[]> {
  const outcome = await work.then(
    () => 'no fault',
    (error: unknown) => error,
  );
  if (outcome instanceof StartupFaults) return outcome.faults;
  throw new Error(`expected StartupFaults, got ${String(outcome)}`);
}

/** Keeps what was logged. */
export class RecordingLog implements Logger {
  readonly lines: { readonly level: string; readonly fields: object; readonly message: string }[] = [];

  debug(fields: object, message: string): void {
    this.lines.push({ level: 'debug', fields, message });
  }

  info(fields: object, message: string): void {
    this.lines.push({ level: 'info', fields, message });
  }

  warn(fields: object, message: string): void {
    this.lines.push({ level: 'warn', fields, message });
  }

  error(fields: object, message: string): void {
    this.lines.push({ level: 'error', fields, message });
  }

  child(): Logger {
    return this;
  }
}

/** The context of an ordinary call, with `changes`. */
export function toolContext(changes: Partial<ToolContext> = {}): ToolContext {
  return {
    user: { id: '', name: '', roles: [], claims: {}, isAuthenticated: false },
    signal: new AbortController().signal,
    callId: 'call-1',
    turnId: 'turn-1',
    conversationId: 'conversation-1',
    channel: 'sse',
    page: undefined,
    log: new RecordingLog(),
    progress: () => undefined,
    ...changes,
  };
}

/** The tool with this name. The test fails when there is none. */
export function toolNamed(plugin: LoadedPlugin, name: string): Tool {
  const tool = plugin.tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
}

/** The source of a plugin with one action `look_up`; `members` are further members of the plugin. */
export function pluginSource(name: string, action = 'look_up', members = ''): string {
  return `export default {
    name: '${name}',
    actions: [{
      name: '${action}',
      description: 'Looks something up.',
      parameters: { type: 'object', properties: {} },
      readOnly: true,
      execute: () => ({ from: '${name}' }),
    }],
    ${members}
  };`;
}
