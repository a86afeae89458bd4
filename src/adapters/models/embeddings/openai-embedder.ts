import type { Dispatcher } from 'undici';
import { ModelError } from '../../../core/ports/chat-model.ts';
import type { EmbedRequest } from '../../../core/ports/embedder.ts';
import { connectionReason } from '../../shared/connection-reason.ts';
import { describeError } from '../../shared/describe-error.ts';
import { outboundPool } from '../../shared/network/outbound.ts';
import { countOf, listOf, objectOf, parsedJson, textOf } from '../json-values.ts';
import { refusedBody } from '../refused-body.ts';
import type { WireEndpoint } from '../openai-wire/wire-endpoint.ts';
import { retryAfter, statusFault } from '../status-fault.ts';
import type { RawEmbedder, RawEmbeddings } from './raw-embedder.ts';

/** 32 vectors of any model take less, even when their numbers are written as text. */
const mostBytes = 16 * 1024 * 1024;
const keepAliveMs = 30_000;
/** A field that some servers refuse. It is left out for them. */
const formatField = 'encoding_format';

/** Any endpoint that speaks OpenAI's `/embeddings`. */
export class OpenAiEmbedder implements RawEmbedder {
  readonly model: string;
  readonly provider: string;
  readonly #endpoint: WireEndpoint;
  #fields: Readonly<Record<string, unknown>>;
  readonly #pool: Dispatcher;

  constructor(options: {
    readonly endpoint: WireEndpoint;
    readonly provider: string;
    /** Further fields of the request body. */
    readonly extraFields: Readonly<Record<string, unknown>>;
  }) {
    this.model = options.endpoint.model;
    this.provider = options.provider;
    this.#endpoint = options.endpoint;
    // Base64 takes a quarter of the space of numbers written as text. A server that does not know this format writes the numbers as text.
    this.#fields = { model: this.model, [formatField]: 'base64', ...options.extraFields };
    // The signal of a call limits its time, so the pool must not.
    this.#pool = outboundPool(this.#endpoint.origin, {
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: keepAliveMs,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  async embed(request: EmbedRequest): Promise<RawEmbeddings> {
    const { texts, signal } = request;
    const sent = this.#fields;
    try {
      const { statusCode, headers, body } = await this.#pool.request({
        path: this.#endpoint.path,
        method: 'POST',
        headers: [...this.#endpoint.headers],
        body: JSON.stringify({ ...sent, input: texts }),
        signal,
      });
      const text = await bounded(body);
      if (statusCode === 200) return this.#read(text, texts.length);
      if ((statusCode === 400 || statusCode === 422) && text.includes(formatField) && formatField in sent) {
        const { [formatField]: _, ...fields } = sent;
        this.#fields = fields;
        return await this.embed(request);
      }
      throw this.#refused(statusCode, text, (name) => textOf(headers[name]));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ModelError) throw error;
      const words = connectionReason(error) ?? describeError(error);
      const message = `the connection to the model failed: ${this.#endpoint.clean(words).slice(0, 500)}`;
      throw new ModelError('model_unavailable', message, { transient: true });
    }
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  /** Each vector names the text that it belongs to. Servers that do not name it send the vectors in the order of the texts. */
  #read(text: string, count: number): RawEmbeddings {
    const answer = objectOf(parsedJson(text));
    const vectors = Array.from({ length: count }, (): unknown => undefined);
    for (const [place, item] of listOf(answer?.['data']).entries()) {
      const fields = objectOf(item);
      const index = countOf(fields?.['index']) ?? place;
      if (index < count) vectors[index] = fields?.['embedding'];
    }
    if (answer === undefined || !Array.isArray(answer['data'])) {
      throw new ModelError('model_unavailable', 'the model has answered with no list of vectors', { transient: false });
    }
    return { vectors, inputTokens: countOf(objectOf(answer['usage'])?.['prompt_tokens']) ?? 0 };
  }

  #refused(status: number, text: string, header: (name: string) => string | undefined): ModelError {
    const { retryAfterMs, ...said } = refusedBody(text, this.#endpoint.clean);
    return statusFault({ status, ...said, retryAfterMs: retryAfter(header, Date.now()) ?? retryAfterMs });
  }
}

/** Decodes while it reads: copies of the chunks would make the process larger while many vectors are made. */
async function bounded(body: AsyncIterable<unknown>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) continue;
    bytes += chunk.length;
    if (bytes > mostBytes) {
      throw new ModelError('model_unavailable', `the answer has more than ${String(mostBytes)} bytes`, {
        transient: false,
      });
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
