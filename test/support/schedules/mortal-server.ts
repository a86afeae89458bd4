import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildServer, type HelperServer } from '../../../src/app.ts';
import { loadSettings } from '../../../src/config/load-settings.ts';
import { tokenSecret } from '../tokens.ts';
import { ledgerPlugin } from './action-ledger.ts';
import type { HeldClock } from './held-clock.ts';
import { type Death, type DurableStep, type Mortality, mortalStores } from './mortal-stores.ts';

export interface MortalServerOptions {
  /** The folder of the server's storage. A later process gets a copy in another folder. */
  readonly folder: string;
  readonly hitlMode: 'Blocking' | 'Native';
  readonly modelUrl: string;
  readonly clock: HeldClock;
  /** The number of event loops that each durable step takes. The numbers are used in turn, over and over. */
  readonly slowness: readonly number[];
  /** Called at the moment of death, after the image of the storage was taken. */
  readonly onDeath: () => void;
  readonly onStep: () => void;
  /** More settings, such as those of another channel. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** The grace after a lost connection, the time until a shutdown ends running turns, and the time until a question expires. */
export const minutes = { disconnectGrace: 10, shutdownGrace: 20, confirmationTimeout: 30 } as const;

const storageFiles = ['helper.db', 'helper.db-wal', 'keys.json'];

/** The whole server as it ships, which can die at any moment. At its death its durable data are copied, and everything else is lost. */
export class MortalServer implements Mortality {
  readonly #options: MortalServerOptions;
  #server: HelperServer | undefined;
  #url = '';
  #death: Death | undefined;
  #steps = 0;
  #inFlight = 0;
  #closing: Promise<void> | undefined;
  #endGrace: () => void = () => undefined;
  #image: string | undefined;
  readonly #died = Promise.withResolvers<undefined>();
  isDead = false;
  isDraining = false;

  constructor(options: MortalServerOptions) {
    this.#options = options;
  }

  get url(): string {
    return this.#url;
  }

  get folder(): string {
    return this.#options.folder;
  }

  /** The number of durable steps under way. */
  get inFlight(): number {
    return this.#inFlight;
  }

  async start(): Promise<void> {
    const { folder } = this.#options;
    const plugins = join(folder, 'plugins');
    mkdirSync(join(plugins, 'schedules'), { recursive: true });
    writeFileSync(join(plugins, 'schedules', 'index.js'), ledgerPlugin(folder));
    const file = join(folder, 'helper.yaml');
    writeFileSync(file, JSON.stringify(this.#settings(plugins))); // JSON is also YAML
    const { settings } = loadSettings({ file, environment: {} });
    this.#server = await buildServer(settings, { silent: true, stores: (opened) => mortalStores(opened, this) });
    const listening = this.#server.listen();
    // A process that dies during its start never listens.
    const started = await Promise.race([listening, this.#died.promise]);
    listening.catch(() => undefined);
    if (started !== undefined) this.#url = started.url;
  }

  slowness(): number {
    const { slowness } = this.#options;
    this.#steps += 1;
    return slowness[this.#steps % slowness.length] ?? 0;
  }

  during<Result>(write: () => Promise<Result>): Promise<Result> {
    this.#inFlight += 1;
    return write().finally(() => {
      this.#inFlight -= 1;
      this.#options.onStep();
    });
  }

  passes(step: DurableStep, when: 'before' | 'after'): void {
    if (this.#death?.step === step && this.#death.when === when) this.die();
  }

  /** Makes the server die at the next step of this kind. With undefined the server does not die. */
  dieAt(death: Death | undefined): void {
    this.#death = death;
  }

  /** Plays a crash. From now on the server cannot reach a client, the ledger or the disk. */
  die(): void {
    if (this.isDead) return;
    this.#image = this.#takeImage();
    this.isDead = true;
    this.#died.resolve(undefined);
    this.#options.onDeath();
  }

  /** Marks a server that has ended by itself as dead, so that the next process takes over. */
  retire(): void {
    this.isDead = true;
  }

  /** Drains the server, as SIGTERM does. */
  drain(): void {
    if (this.isDraining) return;
    this.isDraining = true;
    const { result, ring } = this.#options.clock.catching(() => this.#server?.close());
    this.#closing = result;
    this.#endGrace = ring;
  }

  /** Resolves when the process has ended by itself. */
  async ended(): Promise<void> {
    await this.#closing;
  }

  /** Copies the storage for the next process, into a folder of its own. */
  takeOver(folder: string): void {
    const image = this.#image ?? this.#takeImage();
    mkdirSync(join(folder, 'data'), { recursive: true });
    copyStorage(image, join(folder, 'data'));
  }

  /** Ends the grace that delays the end of a draining server. */
  endGrace(): void {
    this.#endGrace();
  }

  /** Frees the resources that a dead process still holds. */
  async bury(): Promise<void> {
    this.drain();
    this.endGrace();
    await this.ended();
  }

  #takeImage(): string {
    const image = join(this.#options.folder, 'image');
    mkdirSync(image);
    copyStorage(join(this.#options.folder, 'data'), image);
    return image;
  }

  #settings(plugins: string): object {
    const { folder, hitlMode, modelUrl } = this.#options;
    return {
      appName: 'Schedules',
      chatClient: 'main',
      models: { main: { provider: 'openai', baseUrl: modelUrl, model: 'planned', apiKey: 'none', maxRetries: 0 } },
      actions: { plugins: [plugins] },
      auth: { jwt: { secret: tokenSecret } },
      hitlMode,
      ...(hitlMode === 'Native' ? { maxAutoApprovalIterations: 5 } : {}),
      confirmationTimeout: `${String(minutes.confirmationTimeout)}m`,
      storage: { type: 'embedded', path: join(folder, 'data') },
      server: {
        port: 0,
        disconnectGrace: `${String(minutes.disconnectGrace)}m`,
        shutdownGrace: `${String(minutes.shutdownGrace)}m`,
        resumeWindow: '100h',
      },
      ...this.#options.settings,
    };
  }
}

/**
 * Copies the files that a crash would leave on the disk. A commit that is under way in the storage's thread is copied completely or not at
 * all.
 */
function copyStorage(from: string, to: string): void {
  for (const name of storageFiles) if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name));
}
