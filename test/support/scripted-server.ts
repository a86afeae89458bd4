import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type RealServer, realServer } from './real-server.ts';
import { type ModelScript, type ScriptedModel, startScriptedModel } from './scripted-model.ts';

export interface ScriptedServer extends RealServer {
  readonly model: ScriptedModel;
}

/**
 * The whole server with a model that says what the test wants, in the order given, and with one plugin: the text of its
 * `index.js`. Without one it has the sample plugin.
 */
export async function scriptedServer(options: {
  readonly scripts: readonly ModelScript[];
  readonly plugin?: string;
  /** Entries of `actions.callbacks`; without a plugin they are the only actions. */
  readonly callbacks?: readonly object[];
  /** Further settings. */
  readonly settings?: object;
  /** Environment variables of configuration.md 1.4. */
  readonly overrides?: Readonly<Record<string, string>>;
}): Promise<ScriptedServer> {
  const directory = mkdtempSync(join(tmpdir(), 'helper-scripted-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const model = await startScriptedModel({ scripts: options.scripts });
  onTestFinished(() => model.close());
  let plugins = join(import.meta.dirname, '../../plugins');
  if (options.plugin !== undefined) {
    plugins = join(directory, 'plugins');
    mkdirSync(join(plugins, 'test-plugin'), { recursive: true });
    writeFileSync(join(plugins, 'test-plugin', 'index.js'), options.plugin);
  }
  const file = join(directory, 'helper.yaml');
  const settings = {
    appName: 'Test',
    chatClient: 'main',
    models: { main: { provider: 'openai', baseUrl: model.url, model: 'scripted', apiKey: 'none' } },
    actions: {
      plugins: options.plugin === undefined && options.callbacks !== undefined ? [] : [plugins],
      callbacks: options.callbacks ?? [],
    },
    demoPage: true,
    ...options.settings,
  };
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(settings));
  return { ...(await realServer(options.overrides, file)), model };
}
