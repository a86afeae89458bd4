import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type RealServer, realServer } from './real-server.ts';
import { type ModelScript, type ScriptedModel, startScriptedModel } from './scripted-model.ts';

export interface ScriptedServer extends RealServer {
  readonly model: ScriptedModel;
  /** Replaces these settings in the configuration file. */
  readonly write: (settings: object) => void;
}

export interface ScriptedOptions {
  readonly scripts: readonly ModelScript[];
  /** Answers what the scripts do not. */
  readonly otherwise?: ModelScript;
  /** The text of a plugin's `index.js`. Left out, the sample plugin is used. */
  readonly plugin?: string;
  /** Entries of `actions.callbacks`. Without a plugin they are the only actions. */
  readonly callbacks?: readonly object[];
  /** More members of the entry that plays the scripts. */
  readonly entry?: object;
  /** Entries of `models` beside the one that plays the scripts. */
  readonly models?: object;
  /** More settings. */
  readonly settings?: object;
}

/** A configuration with one plugin and a model that plays the test's scripts in order. */
export async function scriptedConfiguration(options: ScriptedOptions): Promise<{
  readonly directory: string;
  readonly configuration: Record<string, unknown>;
  readonly model: ScriptedModel;
}> {
  const directory = mkdtempSync(join(tmpdir(), 'helper-scripted-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const model = await startScriptedModel({
    scripts: options.scripts,
    ...(options.otherwise === undefined ? {} : { otherwise: options.otherwise }),
  });
  onTestFinished(() => model.close());
  let plugins = join(import.meta.dirname, '../../plugins');
  if (options.plugin !== undefined) {
    plugins = join(directory, 'plugins');
    mkdirSync(join(plugins, 'test-plugin'), { recursive: true });
    writeFileSync(join(plugins, 'test-plugin', 'index.js'), options.plugin);
  }
  const configuration = {
    appName: 'Test',
    chatClient: 'main',
    models: {
      main: { provider: 'openai', baseUrl: model.url, model: 'scripted', apiKey: 'none', ...options.entry },
      ...options.models,
    },
    actions: {
      plugins: options.plugin === undefined && options.callbacks !== undefined ? [] : [plugins],
      callbacks: options.callbacks ?? [],
    },
    ...options.settings,
  };
  return { directory, configuration, model };
}

/** The whole server with such a configuration. */
export async function scriptedServer(
  options: ScriptedOptions & {
    /** Environment variables of contract/configuration.md#reading. */
    readonly overrides?: Readonly<Record<string, string>>;
  },
): Promise<ScriptedServer> {
  const { directory, configuration, model } = await scriptedConfiguration(options);
  const file = join(directory, 'helper.yaml');
  const write = (settings: object): void => {
    // JSON is also YAML.
    writeFileSync(file, JSON.stringify({ demoPage: true, ...configuration, ...settings }));
  };
  write({});
  return { ...(await realServer(options.overrides, file)), model, write };
}
