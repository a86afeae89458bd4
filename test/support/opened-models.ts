import type { ModelSettings } from '../../src/adapters/models/model-settings.ts';
import { openChatModel } from '../../src/adapters/models/open-chat-model.ts';
import { tokenxCounter } from '../../src/adapters/tokens/tokenx-counter.ts';
import { TokenEstimates } from '../../src/core/history/token-estimates.ts';
import type { ReplyMemory } from '../../src/adapters/models/reply-limits.ts';
import type { ChatModel } from '../../src/core/ports/chat-model.ts';
import type { Logger } from '../../src/core/ports/logger.ts';
import type { Metrics } from '../../src/core/ports/metrics.ts';
import { metricsOfCalls } from './quiet.ts';
import { type ModelScript, type ScriptedModel, startScriptedModel } from './scripted-model.ts';

/** A key that is long enough to be searched for in output that must not hold it. */
export const secretKey = 'sk-very-secret-0123456789';

/** The times and sizes of contract/models.md, with shorter waits. */
export const modelBounds = {
  timeout: 5_000,
  totalTimeout: 600_000,
  maxLineBytes: 1024 * 1024,
  maxReplyBytes: 4 * 1024 * 1024,
  contextWindow: 128_000,
} as const;

/** An `openai` entry with the defaults of contract/models.md and without retries. */
export function modelSettings(changes: Partial<ModelSettings> = {}): ModelSettings {
  const defaults = { api: 'chat', ...modelBounds, maxRetries: 0, fallbacks: [] } as const;
  return { provider: 'openai', model: 'scripted', apiKey: secretKey, ...defaults, ...changes };
}

/** Opens models and scripted servers, and closes them all at the end of a test. */
export class OpenedModels {
  readonly counted: Parameters<Metrics['modelCalled']>[0][] = [];
  readonly logged: object[] = [];
  /** Set by a test. All models that are opened afterwards share this memory. */
  memory: ReplyMemory | undefined;
  readonly #opened: { close(): Promise<void> }[] = [];

  /** A scripted server that answers these requests in order. */
  async server(...scripts: readonly ModelScript[]): Promise<ScriptedModel> {
    return this.keep(await startScriptedModel({ scripts }));
  }

  /** Opens `models.main`. */
  async open(
    models: Readonly<Record<string, ModelSettings>>,
    pluginModels: Readonly<Record<string, object>> = {},
  ): Promise<ChatModel> {
    const note = (fields: object, message: string): void => void this.logged.push({ ...fields, message });
    const log: Logger = { debug: note, info: note, warn: note, error: note, child: () => log };
    const model = await openChatModel({
      name: 'main',
      models,
      pluginModels: new Map(Object.entries(pluginModels)),
      demo: { language: 'English', appName: 'App', appDescription: '', pages: () => [], titleOf: () => undefined },
      log,
      estimates: new TokenEstimates(tokenxCounter),
      metrics: metricsOfCalls(this.counted),
      ...(this.memory === undefined ? {} : { memory: this.memory }),
    });
    return this.keep(model);
  }

  /** Opens an `openai` entry on a scripted server. */
  openOn(scripted: ScriptedModel, changes: Partial<ModelSettings> = {}): Promise<ChatModel> {
    return this.open({ main: modelSettings({ baseUrl: scripted.url, ...changes }) });
  }

  /** Takes something that `close` closes together with the models. */
  keep<Closable extends { close(): Promise<void> }>(closable: Closable): Closable {
    this.#opened.push(closable);
    return closable;
  }

  /** Closes everything and empties the records. Called in `afterEach`. */
  async close(): Promise<void> {
    this.counted.length = 0;
    this.logged.length = 0;
    this.memory = undefined;
    await Promise.all(this.#opened.splice(0).map((one) => one.close()));
  }
}
