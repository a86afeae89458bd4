import type { ModelSettings } from '../model-settings.ts';

/** The fields of an entry of `models` that count with `kind: embeddings`. */
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
