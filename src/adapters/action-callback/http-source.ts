import type { KnowledgeSource } from '../../core/ports/knowledge-source.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { Metrics } from '../../core/ports/metrics.ts';
import { CallbackClient } from './callback-client.ts';
import { CallbackConnection } from './callback-connection.ts';
import { callbackSource } from './callback-source.ts';

/** One entry of `ragSources` with `type: http` (contract/knowledge.md#sources). `timeout`: milliseconds. */
export interface HttpSourceSettings {
  readonly name: string;
  readonly url: string;
  readonly secret: string | readonly string[];
  readonly timeout: number;
  readonly defaultMinScore?: number;
  readonly requiredRoles: readonly string[];
  readonly tenants: readonly string[];
  readonly trusted: boolean;
}

/** A service that is asked for documents over HTTP, in the format of a callback's `search`. */
export class HttpSource {
  readonly source: KnowledgeSource;
  readonly #connection: CallbackConnection;
  readonly #client: CallbackClient;

  constructor(settings: HttpSourceSettings, services: { readonly log: Logger; readonly metrics: Metrics }) {
    const { name, timeout: timeoutMs, defaultMinScore, requiredRoles, tenants, trusted: isTrusted } = settings;
    this.#connection = new CallbackConnection(settings);
    this.#client = new CallbackClient({
      name,
      connection: this.#connection,
      ...services,
      now: () => performance.now(),
    });
    this.source = callbackSource({ name, timeoutMs, defaultMinScore, requiredRoles, tenants, isTrusted }, this.#client);
  }

  /** For `/readyz`: degraded while the source is paused. Users get answers without its documents then. */
  get state(): 'ok' | 'degraded' {
    return this.#client.isPaused ? 'degraded' : 'ok';
  }

  /** Requests that begin from now on are signed with this secret, or with each secret of the list. */
  renewSecret(secret: HttpSourceSettings['secret']): void {
    this.#connection.signWith(secret);
  }

  /** Ends the requests under way. */
  close(): Promise<void> {
    return this.#connection.close();
  }
}
