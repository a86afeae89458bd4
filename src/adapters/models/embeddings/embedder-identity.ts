import { createHash } from 'node:crypto';
import type { EmbeddingSettings } from './embedding-settings.ts';
import type { RawEmbedder } from './raw-embedder.ts';

/** Options that change where a model is asked and with which right, but not what it gives. */
const aboutTheWay = /key|secret|token|password|header|url|endpoint|timeout|retries|concurrency|encoding_format/i;

/**
 * What vectors of one model are told by: who makes them and with which options. The address and the key do not count, so the same model
 * at another address goes on with the vectors that are there.
 */
export function identityOf(settings: EmbeddingSettings, { model, provider }: RawEmbedder): string {
  const { class: className, plugin, deployment, options = {} } = settings;
  const telling = Object.entries(options)
    .filter(([name]) => !aboutTheWay.test(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const hash = createHash('sha256').update(JSON.stringify([provider, className, plugin, deployment, model, telling]));
  return `${model} ${hash.digest('hex').slice(0, 16)}`;
}
