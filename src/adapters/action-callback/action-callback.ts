import { randomId } from '../../core/base/random-id.ts';
import type { CheckedDirection, TextCheck } from '../../core/guardrails/text-check.ts';
import type { KnowledgeSource } from '../../core/ports/knowledge-source.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { Metrics } from '../../core/ports/metrics.ts';
import type { Tool } from '../../core/tools/tool.ts';
import { describeError } from '../shared/describe-error.ts';
import { callbackCheck } from './callback-check.ts';
import { CallbackClient } from './callback-client.ts';
import { CallbackConnection, type ExchangeReply } from './callback-connection.ts';
import type { CallbackSettings } from './callback-settings.ts';
import { callbackSource } from './callback-source.ts';
import { callbackTool } from './callback-tool.ts';
import { type Manifest, readManifest } from './read-manifest.ts';
import { readResult } from './read-result.ts';
import { retryDelay } from './retry-delay.ts';

/** Milliseconds to wait for a manifest. It is small, and people wait for it when the server starts. */
const longestManifestMs = 10_000;

/** Milliseconds to wait for a search. The first word of the reply comes after it. */
const longestSearchMs = 3_000;

/** A manifest whose actions can be called. */
export type CallbackOffer = Omit<Manifest, 'actions'> & { readonly tools: readonly Tool[] };

/** A host application that is asked over HTTP for its actions and runs them (contract/plugins.md#callbacks). */
export class ActionCallback {
  readonly name: string;
  readonly #settings: CallbackSettings;
  readonly #log: Logger;
  readonly #metrics: Metrics;
  readonly #connection: CallbackConnection;
  readonly #client: CallbackClient;
  readonly #documents: KnowledgeSource;
  readonly #closing = new AbortController();
  /** The last good manifest, as it was sent. */
  #source: { readonly text: string; readonly etag: string | undefined } | undefined;
  #offer: CallbackOffer = {
    tools: [],
    pages: [],
    transformsResults: false,
    checks: { input: false, output: false },
    searches: false,
  };
  readonly #checks: Readonly<Record<CheckedDirection, TextCheck>>;
  #fault: string | undefined;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(settings: CallbackSettings, services: { readonly log: Logger; readonly metrics: Metrics }) {
    this.name = settings.name;
    this.#settings = settings;
    this.#metrics = services.metrics;
    this.#metrics.expect({ kind: 'callback', callback: settings.name });
    this.#log = services.log.child({ callback: settings.name });
    this.#connection = new CallbackConnection(settings);
    this.#client = new CallbackClient({
      name: settings.name,
      connection: this.#connection,
      log: services.log,
      metrics: services.metrics,
      now: () => performance.now(),
    });
    this.#checks = {
      input: callbackCheck('input', settings.name, this.#client),
      output: callbackCheck('output', settings.name, this.#client),
    };
    this.#documents = callbackSource(
      {
        name: settings.name,
        timeoutMs: Math.min(settings.timeout, longestSearchMs),
        requiredRoles: [],
        tenants: [],
        isTrusted: false,
      },
      this.#client,
    );
  }

  /** Checks that ask the callback about messages and replies, whether or not its manifest declares them. */
  get checks(): Readonly<Record<CheckedDirection, TextCheck>> {
    return this.#checks;
  }

  /** The source of documents of the callback. Undefined while its manifest has no hook `search`. */
  get knowledgeSource(): KnowledgeSource | undefined {
    return this.#offer.searches ? this.#documents : undefined;
  }

  /** Requests that begin from now on are signed with this secret, or with each secret of the list. */
  renewSecret(secret: CallbackSettings['secret']): void {
    this.#connection.signWith(secret);
  }

  /** The content of the last good manifest. Empty until there is such a manifest. */
  get offer(): CallbackOffer {
    return this.#offer;
  }

  /** Why the last attempt to fetch the manifest failed. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** For `/readyz`: failed until the first manifest, degraded while the callback is paused. */
  get state(): 'ok' | 'degraded' | 'failed' {
    if (this.#source === undefined) return 'failed';
    return this.#client.isPaused ? 'degraded' : 'ok';
  }

  /**
   * Fetches the manifest once. Resolves to true when the manifest has changed. A failure is logged, and the last good manifest stays. Never
   * rejects.
   */
  async load(): Promise<boolean> {
    try {
      const reply = await this.#fetchManifest();
      const isNew = reply.status !== 304 && reply.text !== this.#source?.text;
      if (isNew) this.#take(await readManifest(reply.text));
      if (reply.status !== 304) this.#source = { text: reply.text, etag: reply.etag };
      this.#fault = undefined;
      this.#count('answered');
      return isNew;
    } catch (error) {
      if (this.#closing.signal.aborted) return false;
      this.#fault = describeError(error);
      this.#failures += 1;
      this.#count('failed');
      const kept = this.#source === undefined ? 'its actions are missing until then' : 'the last good one is kept';
      this.#log.warn({ reason: this.#fault }, `the manifest of a callback could not be taken over: ${kept}`);
      return false;
    }
  }

  /** Fetches the manifest again from time to time, and more often until the first success. Calls `onChange` after each change. */
  keepFresh(onChange: () => void): void {
    this.#timer = setTimeout(() => {
      void this.load().then((isNew) => {
        if (this.#closing.signal.aborted) return;
        if (isNew) onChange();
        this.keepFresh(onChange);
      });
    }, this.#delay()).unref();
  }

  /** A tool's result as the model reads it. When the manifest has the hook `toolResult`, the callback decides it. */
  async transformResult(toolName: string, result: unknown): Promise<unknown> {
    if (!this.#offer.transformsResults) return result;
    const id = randomId();
    const transformed = await this.#client.ask({
      type: 'toolResult',
      id,
      trace: id,
      body: { type: 'toolResult', tool: toolName, result },
      readOnly: true,
      read: readResult,
      signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(this.#settings.timeout)]),
    });
    return transformed.result;
  }

  /** Ends the requests under way. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await this.#connection.close();
  }

  async #fetchManifest(): Promise<ExchangeReply> {
    const id = randomId();
    const etag = this.#source?.etag;
    const limit = AbortSignal.timeout(Math.min(this.#settings.timeout, longestManifestMs));
    const reply = await this.#connection.send({
      method: 'GET',
      id,
      body: '',
      trace: id,
      headers: etag === undefined ? {} : { 'if-none-match': etag },
      signal: AbortSignal.any([this.#closing.signal, limit]),
    });
    const isExpected = reply.status === 200 || (reply.status === 304 && etag !== undefined);
    if (!isExpected) throw new Error(`it answered with status ${String(reply.status)}`);
    return reply;
  }

  #take(manifest: Manifest): void {
    const { actions, ...others } = manifest;
    const services = {
      settings: this.#settings,
      client: this.#client,
      current: (name: string) => this.#offer.tools.find((tool) => tool.name === name),
    };
    this.#offer = { ...others, tools: actions.map((action) => callbackTool(action, services)) };
  }

  #delay(): number {
    const { refresh } = this.#settings;
    return this.#source === undefined ? retryDelay(this.#failures, refresh) : refresh;
  }

  #count(outcome: 'answered' | 'failed'): void {
    this.#metrics.callbackAsked({ callback: this.name, type: 'manifest', outcome });
  }
}
