import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startScriptedModel } from '../scripted-model.ts';
import { makeToken, tokenSecret } from '../tokens.ts';
import { clock } from './clock.ts';
import { FailingDisk } from './failing-disk.ts';
import type { FaultPlan } from './fault-plan.ts';
import { ledgerPlugin, readLedger } from './ledger.ts';
import { Moments } from './moments.ts';
import { ServerProcess } from './server-process.ts';
import { SmallDisk } from './small-disk.ts';
import { talkingModel } from './talking-model.ts';
import type { DiskState, FaultKind, Told, ToldLife } from './told.ts';

export interface WorldOptions {
  /** Whether processes see the disk that fails on command. */
  readonly isPreloading: boolean;
  readonly hasSmallDisk: boolean;
  /** Settings beside the usual ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** Everything outside the server that outlives its processes: folder, disk, model, the ledger of the actions, and the users' tokens. */
export class World {
  readonly told: Told;
  readonly moments = new Moments();
  /** The folder of `storage.path`. */
  readonly storage: string;
  /** Undefined on a machine without a C compiler. */
  readonly disk: FailingDisk | undefined;
  /** Undefined where no file system can be mounted, and where the test asked for none. */
  readonly smallDisk: SmallDisk | undefined;
  /** The state of the storage, as far as the test has changed it. */
  diskState: DiskState = 'works';
  /** Every action awaits this before and after it runs. */
  atTheGate: (point: 'about to run' | 'has run') => Promise<void> | void = () => undefined;
  server: ServerProcess | undefined;
  /** The address of the process that listens now. */
  url = '';
  /** The test's own server, which answers GET at once. */
  gateUrl = '';
  readonly #root: string;
  readonly #gate: Server;
  readonly #closing: (() => Promise<void> | void)[] = [];
  #tokens: Readonly<Record<'ann' | 'nobody', string | undefined>> = { ann: undefined, nobody: undefined };

  readonly #more: Readonly<Record<string, unknown>>;

  private constructor(plan: FaultPlan, options: WorldOptions) {
    this.#more = options.settings ?? {};
    this.#root = mkdtempSync(join(tmpdir(), 'helper-faults-'));
    const disk = join(this.#root, 'disk');
    this.storage = join(disk, 'data');
    mkdirSync(disk);
    this.smallDisk = options.hasSmallDisk ? SmallDisk.mount(disk) : undefined;
    this.disk = options.isPreloading ? new FailingDisk(this.storage, join(this.#root, 'disk-control')) : undefined;
    const lists = { turns: [], questions: [], readings: [], answers: [], models: [], lives: [], troubles: [] };
    this.told = { plan, ...lists, ledger: [] };
    this.#gate = createServer((request, response) => {
      if (request.method === 'GET') {
        response.end('here');
        return;
      }
      const point = request.url === '/has-run' ? 'has run' : 'about to run';
      this.moments.note(point === 'has run' ? 'an action has run' : 'an action is about to run');
      void Promise.resolve(this.atTheGate(point)).then(() => response.end('go'));
    });
  }

  static async open(plan: FaultPlan, options: WorldOptions): Promise<World> {
    const world = new World(plan, options);
    await world.#open();
    return world;
  }

  /** The process that runs, counted from 0. */
  get life(): number {
    return this.told.lives.length - 1;
  }

  headers(user: 'ann' | 'nobody'): Readonly<Record<string, string>> {
    const token = this.#tokens[user];
    return token === undefined ? {} : { authorization: `Bearer ${token}` };
  }

  /** Starts the next process on the folder. False when it ended before it listened. */
  async start(): Promise<boolean> {
    const life: ToldLife = { startedAt: clock(), endedAt: Infinity, disturbance: 'killed' };
    this.told.lives.push(life);
    const server = new ServerProcess({
      config: join(this.#root, 'helper.yaml'),
      directory: this.#root,
      environment: this.disk?.environment ?? {},
    });
    this.server = server;
    void server.ended.then(() => (life.endedAt = clock()));
    const url = await server.listening;
    this.url = url ?? '';
    return url !== undefined;
  }

  /** Ends the running process. Resolves when it is gone. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.server?.kill(signal);
    await this.server?.ended;
  }

  /** Records that the running life ended by something other than SIGKILL. */
  disturbed(disturbance: ToldLife['disturbance']): void {
    const life = this.told.lives.pop();
    if (life !== undefined) this.told.lives.push(Object.assign(life, { disturbance }));
  }

  trouble(kind: FaultKind, says: string): void {
    this.told.troubles.push({ kind, says: `process ${this.life + 1}: ${says}` });
  }

  readLedger(): void {
    this.told.ledger = readLedger(join(this.#root, 'ledger'));
  }

  async close(): Promise<void> {
    this.moments.cancel();
    await this.kill();
    for (const close of this.#closing) await close();
    this.disk?.close();
    await this.smallDisk?.unmount();
    rmSync(this.#root, { recursive: true, force: true });
  }

  async #open(): Promise<void> {
    await new Promise<void>((resolve) => this.#gate.listen(0, '127.0.0.1', resolve));
    this.#closing.push(() => {
      this.#gate.close();
      this.#gate.closeAllConnections();
    });
    // A TCP server that listens has an AddressInfo. Only pipes have texts.
    const { port } = this.#gate.address() as AddressInfo;
    const model = await startScriptedModel({
      otherwise: talkingModel(this.moments, (outcomes) => this.told.models.push(...outcomes)),
    });
    this.#closing.push(() => model.close());
    this.#tokens = { ann: await makeToken({ sub: 'ann' }), nobody: undefined };
    const plugin = join(this.#root, 'plugins', 'ledger');
    mkdirSync(plugin, { recursive: true });
    this.gateUrl = `http://127.0.0.1:${port}`;
    writeFileSync(join(plugin, 'index.js'), ledgerPlugin({ ledger: join(this.#root, 'ledger'), gate: this.gateUrl }));
    // JSON is also YAML.
    writeFileSync(join(this.#root, 'helper.yaml'), JSON.stringify(this.#settings(model.url)));
  }

  #settings(modelUrl: string): object {
    const { hitlMode, confirmationTimeout } = this.told.plan;
    return {
      appName: 'Faults',
      chatClient: 'main',
      models: { main: { provider: 'openai', baseUrl: modelUrl, model: 'talking', apiKey: 'none', maxRetries: 0 } },
      actions: { plugins: [join(this.#root, 'plugins')] },
      auth: { jwt: { secret: tokenSecret } },
      hitlMode,
      confirmationTimeout,
      storage: { type: 'embedded', path: this.storage },
      server: { port: 0, disconnectGrace: '20m', shutdownGrace: '500ms', resumeWindow: '30m' },
      ...this.#more,
    };
  }
}
