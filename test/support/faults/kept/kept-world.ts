import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type EmbeddingServer, openEmbeddingServer, sendVectors } from '../../embedding-server.ts';
import { type ScriptedModel, startScriptedModel } from '../../scripted-model.ts';
import { makeToken, tokenSecret } from '../../tokens.ts';
import { FailingDisk } from '../failing-disk.ts';
import { Moments } from '../moments.ts';
import { ServerProcess } from '../server-process.ts';
import { keptModel } from './kept-model.ts';
import type { KeptLife, KeptPlan, KeptSignal, KeptUser } from './kept-plan.ts';
import type { KeptRecord } from './kept-record.ts';

/** The servers that play the models, and the users' tokens. */
interface Outside {
  readonly model: ScriptedModel;
  readonly vectors: EmbeddingServer;
  readonly tokens: Readonly<Record<KeptUser, string>>;
}

/** Everything outside the server that outlives its processes: folders, disk, models and the users' tokens. */
export class KeptWorld {
  readonly record: KeptRecord;
  readonly moments = new Moments<KeptSignal>();
  /** The folder of `storage.path`. */
  readonly storage: string;
  /** The folder of documents. */
  readonly documents: string;
  /** Undefined on a machine without a C compiler. */
  readonly disk: FailingDisk | undefined;
  server: ServerProcess | undefined;
  /** The address of the process that listens now. */
  url = '';
  /** The process that runs, counted from 0. */
  life = -1;
  readonly #root: string;
  #slowMs = 0;
  #outside: Outside | undefined;

  private constructor(plan: KeptPlan, isPreloading: boolean) {
    this.#root = mkdtempSync(join(tmpdir(), 'helper-kept-'));
    this.storage = join(this.#root, 'disk', 'data');
    this.documents = join(this.#root, 'documents');
    mkdirSync(join(this.#root, 'disk'));
    mkdirSync(this.documents);
    this.disk = isPreloading ? new FailingDisk(this.storage, join(this.#root, 'disk-control')) : undefined;
    this.record = { plan, users: { ann: [], bob: [] }, requests: [], troubles: [], rest: undefined };
  }

  static async open(plan: KeptPlan, isPreloading: boolean): Promise<KeptWorld> {
    const world = new KeptWorld(plan, isPreloading);
    const { moments, record } = world;
    const slowMs = (): number => world.#slowMs;
    const model = await startScriptedModel({ otherwise: keptModel({ moments, requests: record.requests, slowMs }) });
    const vectors = await openEmbeddingServer();
    vectors.answerWith((request, response) => {
      moments.note('vectors are wanted');
      void wait(slowMs()).then(() => sendVectors(response, request));
    });
    const [ann, bob] = await Promise.all([makeToken({ sub: 'ann' }), makeToken({ sub: 'bob' })]);
    world.#outside = { model, vectors, tokens: { ann, bob } };
    return world;
  }

  headers(user: KeptUser): Readonly<Record<string, string>> {
    return { authorization: `Bearer ${this.#outside?.tokens[user] ?? ''}` };
  }

  /** Starts the next process on the folder. False when it ended before it listened. */
  async start({ embeddings, slowMs }: Pick<KeptLife, 'embeddings' | 'slowMs'>): Promise<boolean> {
    this.life += 1;
    this.#slowMs = slowMs;
    const config = join(this.#root, 'helper.yaml');
    // JSON is also YAML.
    writeFileSync(config, JSON.stringify(this.#settings(embeddings)));
    this.server = new ServerProcess({ config, directory: this.#root, environment: this.disk?.environment ?? {} });
    const url = await this.server.listening;
    this.url = url ?? '';
    return url !== undefined;
  }

  /** Ends the running process. Resolves when it is gone. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.server?.kill(signal);
    await this.server?.ended;
  }

  trouble(says: string): void {
    this.record.troubles.push(`process ${this.life + 1}: ${says}`);
  }

  async close(): Promise<void> {
    this.moments.cancel();
    await this.kill();
    await this.#outside?.model.close();
    this.#outside?.vectors.close();
    this.disk?.close();
    rmSync(this.#root, { recursive: true, force: true });
  }

  #settings(embeddings: KeptLife['embeddings']): object {
    const baseUrl = this.#outside?.model.url;
    const vectors = { kind: 'embeddings', provider: 'openai', baseUrl: this.#outside?.vectors.url, apiKey: 'none' };
    const chat = { provider: 'openai', baseUrl, apiKey: 'none', maxRetries: 0 };
    return {
      appName: 'Kept',
      chatClient: 'main',
      classifierChatClient: 'small',
      models: {
        main: { ...chat, model: 'main' },
        small: { ...chat, model: 'small' },
        first: { ...vectors, model: 'vectors-1' },
        second: { ...vectors, model: 'vectors-2' },
      },
      actions: 'none',
      auth: { jwt: { secret: tokenSecret } },
      useMemoryContext: true,
      memoryContextCount: 50,
      chatHistoryProvider: 'storage',
      useRag: true,
      ragMinScore: 0.5,
      embeddingGenerator: embeddings,
      ragSources: [{ type: 'files', name: 'docs', path: this.documents, language: 'en', refresh: '150ms' }],
      storage: { type: 'embedded', path: this.storage },
      server: { port: 0, shutdownGrace: '500ms' },
    };
  }
}
