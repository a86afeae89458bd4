import type { FastifyRequest } from 'fastify';

/** The caller of a request, as far as the hub must know. */
export interface HubCaller {
  /**
   * Callers with the same key are the same caller. A connection accepts requests only from its own caller. An empty key stands for all
   * unknown callers.
   */
  readonly key: string;
  /** When the caller's credential ends, in milliseconds since 1970. Undefined: the credential does not end. */
  readonly expiresAt?: number;
}

const anybody: HubCaller = { key: '' };

export interface HubCallersOptions {
  readonly guard?: (request: FastifyRequest) => void;
  readonly authenticate?: (request: FastifyRequest) => HubCaller | Promise<HubCaller>;
}

/** Finds out once who makes a request, before its body is read. */
export class HubCallers {
  readonly #options: HubCallersOptions;
  readonly #callers = new WeakMap<FastifyRequest, HubCaller>();

  constructor(options: HubCallersOptions) {
    this.#options = options;
  }

  /** @throws whatever refuses the request */
  async admit(request: FastifyRequest): Promise<void> {
    const { guard, authenticate } = this.#options;
    guard?.(request);
    if (authenticate !== undefined) this.#callers.set(request, await authenticate(request));
  }

  /** Who made an admitted request. */
  of(request: FastifyRequest): HubCaller {
    return this.#callers.get(request) ?? anybody;
  }
}

/** When the caller's credential ends, by the clock that never jumps. */
export function deadlineOf({ expiresAt = Infinity }: HubCaller): number {
  return performance.now() + expiresAt - Date.now();
}

/** Whole seconds until the caller's credential ends, for clients that refresh it in time. Empty when the credential does not end. */
export function tokenLifetime({ expiresAt = Infinity }: HubCaller): { readonly tokenLifetimeSeconds?: number } {
  if (expiresAt === Infinity) return {};
  return { tokenLifetimeSeconds: Math.max(0, Math.floor((expiresAt - Date.now()) / 1000)) };
}
