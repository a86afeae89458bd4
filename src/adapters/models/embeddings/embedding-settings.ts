import type { ModelSettings } from '../model-settings.ts';

/** What of an entry of `models` counts for one with `kind: embeddings`. */
export type EmbeddingSettings = Pick<
  ModelSettings,
  | 'kind'
  | 'provider'
  | 'plugin'
  | 'model'
  | 'apiKey'
  | 'baseUrl'
  | 'endpoint'
  | 'deployment'
  | 'apiVersion'
  | 'class'
  | 'options'
  | 'headers'
  | 'timeout'
  | 'maxRetries'
  | 'concurrency'
>;
