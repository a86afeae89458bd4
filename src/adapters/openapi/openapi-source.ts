import { setImmediate as breathe } from 'node:timers/promises';
import type { Logger } from '../../core/ports/logger.ts';
import type { Tool } from '../../core/tools/tool.ts';
import { describeError } from '../shared/describe-error.ts';
import { ApiClient } from './calls/api-client.ts';
import { ApiConnection } from './calls/api-connection.ts';
import { operationTool } from './calls/operation-tool.ts';
import type { ReadDocument, RefusedOperation } from './document/imported-operation.ts';
import { placeOf } from './document/operation-parts.ts';
import { readInThread } from './document/reader-thread.ts';
import { openapiLimits } from './openapi-limits.ts';
import type { OpenapiSettings } from './openapi-settings.ts';

/** What became of a document that was read. */
export interface OpenapiOffer {
  readonly tools: readonly Tool[];
  readonly refused: readonly RefusedOperation[];
  readonly breaches: readonly string[];
  /** Globs of `operations` that name no operation. */
  readonly unmatched: readonly string[];
}

/** An API whose operations are called as an OpenAPI document describes them (contract/openapi.md). */
export class OpenapiSource {
  readonly settings: OpenapiSettings;
  readonly #log: Logger;
  readonly #connection = new ApiConnection();
  readonly #client: ApiClient;
  readonly #closing = new AbortController();
  #headers: Readonly<Record<string, string>> = {};
  #offer: OpenapiOffer | undefined;
  #fault: string | undefined;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(settings: OpenapiSettings, { log }: { readonly log: Logger }) {
    this.settings = settings;
    this.#log = log;
    this.#client = new ApiClient(settings.name, this.#connection, log);
    this.renewHeaders(settings.headers);
  }

  /** What was read. Undefined until the document was read. */
  get offer(): OpenapiOffer | undefined {
    return this.#offer;
  }

  /** Why the last attempt to read the document failed. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** Whether the document is a file, which is not read again. */
  get isFile(): boolean {
    return !/^https?:\/\//i.test(this.settings.document);
  }

  /** For `/readyz`: failed until the document was read, degraded while the API is paused. */
  get state(): 'ok' | 'degraded' | 'failed' {
    if (this.#offer === undefined) return 'failed';
    return this.#client.isPaused ? 'degraded' : 'ok';
  }

  /** Requests that begin from now on have these headers. */
  renewHeaders(headers: Readonly<Record<string, string>>): void {
    const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
    this.#headers = Object.fromEntries(lower);
  }

  /** Reads the document once. Never rejects: `fault` says why it could not be used. */
  async load(): Promise<void> {
    try {
      this.#offer = await this.#read();
      this.#fault = undefined;
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      this.#failures += 1;
      this.#fault = describeError(error);
      const fields = { api: this.settings.name, reason: this.#fault };
      this.#log.warn(fields, 'an OpenAPI document could not be used: its actions are missing until then');
    }
  }

  /** Reads the document again and again until that succeeds, and calls `onRead` then. A document that was read is not read again. */
  keepTrying(onRead: () => void): void {
    if (this.#offer !== undefined || this.#closing.signal.aborted) return;
    const { first, last } = openapiLimits.pauseMs;
    const delay = Math.min(last, first * 2 ** Math.max(0, this.#failures - 1));
    this.#timer = setTimeout(() => {
      void this.load().then(() => {
        if (this.#closing.signal.aborted) return;
        if (this.#offer === undefined) this.keepTrying(onRead);
        else onRead();
      });
    }, delay).unref();
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('the server is closing'));
    clearTimeout(this.#timer);
    await this.#connection.close();
  }

  async #read(): Promise<OpenapiOffer> {
    const { settings } = this;
    const document = await readInThread(
      {
        document: settings.document,
        headers: this.#headersForDocument(),
        operations: settings.operations,
        named: Object.keys(settings.actions),
        toolNames: toolNamesIn(settings),
        configuredHeaders: Object.keys(settings.headers),
        limits: openapiLimits,
      },
      this.#closing.signal,
    );
    checkNames(document);
    return this.#toolsOf(document);
  }

  /** Secrets go to the origin of `baseUrl` alone. A document elsewhere is fetched without them. */
  #headersForDocument(): Readonly<Record<string, string>> {
    const { document, baseUrl } = this.settings;
    return !this.isFile && new URL(document).origin === new URL(baseUrl).origin ? this.#headers : {};
  }

  async #toolsOf({ operations, refused, breaches, unmatched }: ReadDocument): Promise<OpenapiOffer> {
    const tools: Tool[] = [];
    const left: RefusedOperation[] = [...refused];
    const services = { settings: this.settings, client: this.#client, headers: () => this.#headers };
    for (const operation of operations) {
      try {
        tools.push(await operationTool(operation, services));
      } catch (error) {
        const place = placeOf(operation);
        left.push({ id: operation.id, place, reason: describeError(error) });
      }
      // Compiling many schemas takes long enough for others to notice.
      await breathe();
    }
    return { tools, refused: left, breaches, unmatched };
  }
}

function toolNamesIn({ actions }: OpenapiSettings): Readonly<Record<string, string>> {
  const said = Object.entries(actions).flatMap(([key, { name }]) => (name === undefined ? [] : [[key, name] as const]));
  return Object.fromEntries(said);
}

/** Names in `actions` that are misspelt may carry roles that would then guard nothing. */
function checkNames({ unknown, matched }: ReadDocument): void {
  const [name] = unknown;
  if (name !== undefined) throw new Error(`has no operation ${name}, which actions names`);
  if (matched > openapiLimits.operations) {
    const most = String(openapiLimits.operations);
    throw new Error(`has ${String(matched)} operations that are to be imported; at most ${most} are, so name fewer`);
  }
}
