import { dirname, resolve } from 'node:path';
import { type StartupFault, StartupFaults } from '../../core/errors/startup-fault.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { describeError } from '../shared/describe-error.ts';
import { type FaultPlace, faultReport, type ReportFault } from './fault-report.ts';
import { findPluginFiles } from './find/find-plugin-files.ts';
import type { Overlook } from './find/overlooked.ts';
import { importPlugin } from './read/import-plugin.ts';
import type { LoadedPlugin } from './loaded-plugin.ts';
import type { Members } from '../shared/members.ts';
import { placeOfError } from './place-of-error.ts';
import type { PluginFile } from './find/plugin-file.ts';
import { pluginLifecycle } from './plugin-lifecycle.ts';
import { readPluginOptions, reportStrayOptions } from './read/read-plugin-options.ts';
import { type PluginParts, readPlugin } from './read/read-plugin.ts';
import { reportClashes } from './report-clashes.ts';
import { resolveOwnPackage } from './find/resolve-own-package.ts';

export interface LoadPluginsOptions {
  /** `actions.plugins`. Relative paths start at the folder of `configFile`. */
  readonly directories: readonly string[];
  /** helper.yaml: the file to which faults of directories and of `pluginOptions` belong. */
  readonly configFile: string;
  readonly pluginOptions: Readonly<Record<string, unknown>>;
  readonly appName: string;
  readonly log: Logger;
  /** Called for everything that looks like a plugin and is none, with a code (docs/reference/warnings.md). */
  readonly overlook: Overlook;
  /** Milliseconds that one plugin may take to load, and again to start. Left out: 30 seconds. */
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 30_000;
/** Milliseconds for stopping a plugin, out of the `server.shutdownGrace` that the running turns use, too. */
const longestStopMs = 5_000;

/**
 * Finds, imports and checks every plugin (contract/plugins.md#plugins). The result is in plugin order: the order of `directories`, then of
 * names. No plugin's `start` has run yet.
 * @throws StartupFaults with every fault of every plugin.
 */
export async function loadPlugins(options: LoadPluginsOptions): Promise<readonly LoadedPlugin[]> {
  const faults: StartupFault[] = [];
  const reportAt = (place: FaultPlace): ReportFault => faultReport(place, faults);
  const reportSettings = reportAt({ file: options.configFile });

  const directories = options.directories.map((directory) => resolve(dirname(options.configFile), directory));
  const files = await findPluginFiles(directories, reportSettings, options.overlook);
  resolveOwnPackage(files.map(({ folder }) => folder));

  const plugins = (await readAll(files, options.timeoutMs ?? defaultTimeoutMs, reportAt)).sort(byPluginOrder);
  reportClashes(plugins, reportAt);

  const named = plugins.filter(({ name }) => name !== '');
  const sources = { plugins: named, pluginOptions: options.pluginOptions, reportSettings, reportAt };
  const blocks = await readPluginOptions(sources);
  if (named.length === files.length) reportStrayOptions(sources);

  if (faults.length > 0) throw new StartupFaults(faults);
  return plugins.map((plugin) => toLoadedPlugin(plugin, blocks.get(plugin) ?? {}, options));
}

/** Reads the plugins one after the other, so that their code runs in the same order on every start. */
async function readAll(
  files: readonly PluginFile[],
  timeoutMs: number,
  reportAt: (place: FaultPlace) => ReportFault,
): Promise<PluginParts[]> {
  const plugins: PluginParts[] = [];
  for (const file of files) {
    const definition = await importPlugin(file, timeoutMs, reportAt);
    if (definition === undefined) continue;
    try {
      plugins.push(await readPlugin(definition, file, reportAt({ file: file.file })));
    } catch (error) {
      // Members can be getters, which run code of the plugin.
      reportAt(placeOfError(error, file))(file.label, `cannot be read: ${describeError(error)}`);
    }
  }
  return plugins;
}

function byPluginOrder(one: PluginParts, other: PluginParts): number {
  if (one.directoryIndex !== other.directoryIndex) return one.directoryIndex - other.directoryIndex;
  return one.name < other.name ? -1 : Number(one.name > other.name);
}

function toLoadedPlugin(plugin: PluginParts, block: Members, options: LoadPluginsOptions): LoadedPlugin {
  const { name, file, tools, pages, models, hooks, sources, skills, skillSources, reducer, history, memory, demo } =
    plugin;
  const { agents, answering } = plugin;
  const log = options.log.child({ plugin: name });
  const startTimeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  const lifecycle = pluginLifecycle(plugin, {
    host: { appName: options.appName, options: block, log },
    log,
    startTimeoutMs,
    stopTimeoutMs: Math.min(startTimeoutMs, longestStopMs),
  });
  return {
    name,
    file,
    tools,
    pages,
    agents,
    models,
    answering,
    hooks,
    sources,
    skills,
    skillSources,
    reducer,
    history,
    memory,
    demo,
    ...lifecycle,
  };
}
