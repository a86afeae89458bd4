import { createHash } from 'node:crypto';
import type { EmbeddingSettings } from './embedding-settings.ts';
import type { RawEmbedder } from './raw-embedder.ts';

/** Options about the address, the key and the limits of calls. They do not change the vectors. */
const aboutTheWay = /key|secret|token|password|header|url|endpoint|timeout|retries|concurrency|encoding_format/i;

/**
 * Tells vectors of different models apart: by the provider, the model and the options. Address and key do not count, so the same model at
 * another address goes on with the existing vectors.
 */
export function identityOf(settings: EmbeddingSettings, { model, provider }: RawEmbedder): string {
  const { class: className, plugin, deployment, options = {} } = settings;
  const telling = Object.entries(options)
    .filter(([name]) => !aboutTheWay.test(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const hash = createHash('sha256').update(JSON.stringify([provider, className, plugin, deployment, model, telling]));
  return `${model} ${hash.digest('hex').slice(0, 16)}`;
}
