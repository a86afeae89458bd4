import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask } from '../ask.ts';
import { ServerProcess } from '../faults/server-process.ts';
import { type ModelScript, saying, type ScriptedModel, startScriptedModel } from '../scripted-model.ts';
import { wellBehaved } from './chats-beside.ts';

export interface StressServerOptions {
  /** Settings that replace the usual ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** More settings of the model. */
  readonly model?: object;
  /** The text of a plugin's `index.js`. */
  readonly plugin?: string;
  /** The replies of the model to everybody except the well-behaved clients. */
  readonly script?: ModelScript;
}

/** A real server process with a model and a folder of its own. */
export class StressServer {
  readonly url: string;
  readonly hub: string;
  readonly port: number;
  readonly pid: number;
  readonly model: ScriptedModel;
  readonly #process: ServerProcess;
  readonly #close: () => Promise<void>;

  private constructor(process: ServerProcess, url: string, folder: StressFolder) {
    this.url = url;
    this.hub = `${url}/helper-hub`;
    this.port = Number(new URL(url).port);
    if (process.pid === undefined) throw new Error('a process that listens has no id');
    this.pid = process.pid;
    this.model = folder.model;
    this.#process = process;
    this.#close = () => folder.close();
  }

  /**
   * Starts a server.
   * @throws Error with the server's output when it does not start.
   */
  static async start(options: StressServerOptions): Promise<StressServer> {
    const folder = await StressFolder.make(options);
    const process = folder.startProcess();
    const url = await process.listening;
    if (url !== undefined) return new StressServer(process, url, folder);
    await folder.close();
    throw new Error(`the server has not started: ${process.output}`);
  }

  /** The sum of a metric's series whose labels contain `label`. */
  async metric(name: string, label = ''): Promise<number> {
    const { body } = await ask(this.url, 'GET /metrics');
    return body
      .split('\n')
      .filter((line) => new RegExp(`^${name}(?:\\{| )`).test(line) && line.includes(label))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  }

  /** Sends SIGTERM. Resolves with the exit code. */
  async end(): Promise<number | null> {
    this.#process.kill('SIGTERM');
    await this.#process.ended;
    return this.#process.exitCode;
  }

  /** Ends the server in any state, and removes its folder. */
  async close(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#process.ended;
    await this.#close();
  }
}

/** Starts a server that must refuse to start. Returns how it ended and its output. */
export async function refusedStart(
  options: StressServerOptions,
): Promise<{ readonly exitCode: number | null; readonly output: string }> {
  const folder = await StressFolder.make(options);
  const process = folder.startProcess();
  // A server that listens all the same has not ended.
  if ((await process.listening) !== undefined) process.kill('SIGKILL');
  await process.ended;
  await folder.close();
  return { exitCode: process.exitCode, output: process.output };
}

const emptyPlugin = `export default { name: 'stress', actions: [] };`;

class StressFolder {
  readonly model: ScriptedModel;
  readonly #root = mkdtempSync(join(tmpdir(), 'helper-stress-'));

  private constructor(model: ScriptedModel, { settings, model: more, plugin = emptyPlugin }: StressServerOptions) {
    this.model = model;
    const plugins = join(this.#root, 'plugins');
    mkdirSync(join(plugins, 'stress'), { recursive: true });
    writeFileSync(join(plugins, 'stress', 'index.js'), plugin);
    const all = {
      appName: 'Stress',
      chatClient: 'main',
      models: { main: { provider: 'openai', baseUrl: model.url, model: 'scripted', apiKey: 'none', ...more } },
      actions: { plugins: [plugins] },
      ...settings,
      server: { port: 0, ...(settings?.['server'] as object | undefined) }, // the section is an object
    };
    // JSON is also YAML.
    writeFileSync(join(this.#root, 'helper.yaml'), JSON.stringify(all, null, 2));
  }

  static async make(options: StressServerOptions): Promise<StressFolder> {
    const { script = saying('OK') } = options;
    const otherwise: ModelScript = (exchange) =>
      wellBehaved.asked(exchange.request) ? saying(wellBehaved.answer)(exchange) : script(exchange);
    return new StressFolder(await startScriptedModel({ otherwise }), options);
  }

  startProcess(): ServerProcess {
    return new ServerProcess({ config: join(this.#root, 'helper.yaml'), directory: this.#root, environment: {} });
  }

  async close(): Promise<void> {
    await this.model.close();
    rmSync(this.#root, { recursive: true, force: true });
  }
}
