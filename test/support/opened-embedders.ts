import { onTestFinished } from 'vitest';
import type { EmbeddingSettings } from '../../src/adapters/models/embeddings/embedding-settings.ts';
import { openEmbedder } from '../../src/adapters/models/embeddings/open-embedder.ts';
import type { Embedder } from '../../src/core/ports/embedder.ts';
import type { Metrics } from '../../src/core/ports/metrics.ts';
import { secretKey } from './opened-models.ts';
import { metricsOfCalls, recordingLogger } from './quiet.ts';

/** An embedding model that is open until the test ends, with the metrics and the log of its calls. */
export interface OpenedEmbedder {
  readonly embedder: Embedder;
  readonly counted: readonly Parameters<Metrics['modelCalled']>[0][];
  readonly log: ReturnType<typeof recordingLogger>;
}

/** Opens an `openai` entry without retries, with the settings of `changes` in place of its own. */
export async function openedEmbedder(
  changes: Partial<EmbeddingSettings>,
  pluginModels: Readonly<Record<string, object>> = {},
): Promise<OpenedEmbedder> {
  const entry = { provider: 'openai', model: 'vectors-1', apiKey: secretKey, timeout: 5_000, maxRetries: 0 };
  const counted: Parameters<Metrics['modelCalled']>[0][] = [];
  const log = recordingLogger();
  const embedder = await openEmbedder({
    name: 'vectors',
    models: { vectors: { kind: 'embeddings', ...entry, ...changes } },
    pluginModels: new Map(Object.entries(pluginModels)),
    log,
    metrics: metricsOfCalls(counted),
  });
  onTestFinished(() => embedder.close());
  return { embedder, counted, log };
}
