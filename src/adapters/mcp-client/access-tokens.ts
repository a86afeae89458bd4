import { createHash } from 'node:crypto';
import { hasMembers } from '../shared/members.ts';
import { throughProxy } from '../shared/network/through-proxy.ts';
import { McpFault } from './mcp-fault.ts';
import type { McpAuthSettings } from './mcp-settings.ts';

/** Milliseconds until an issuer is given up, and before the end of a token in which it is not used any more. */
const timeoutMs = 10_000;
const earlyMs = 30_000;

/** How long a token is used whose issuer does not say how long it holds, and at most. */
const lifetimeMs = { default: 5 * 60_000, most: 60 * 60_000 };

/** Bytes of an answer of an issuer. */
const maxBytes = 64 * 1024;

const tokenPattern = /^[\x21-\x7e]{1,8192}$/;

interface KeptToken {
  readonly token: Promise<string>;
  /** On the clock of `performance.now()`. Infinite until the issuer has answered. */
  until: number;
}

/**
 * The tokens for one MCP server: of this server itself, or of one of its users by token exchange (contract/mcp-servers.md#tokens). The
 * user's own token goes to the issuer alone.
 */
export class AccessTokens {
  readonly #auth: McpAuthSettings;
  readonly #resource: string;
  readonly #subject: string | undefined;
  #kept: KeptToken | undefined;

  /** `resource`: the address of the MCP server. `subject`: the token of the user; left out, the token is that of this server itself. */
  constructor(auth: McpAuthSettings, resource: string, subject?: string) {
    this.#auth = auth;
    this.#resource = resource;
    this.#subject = subject;
  }

  /** The present token. Those who ask at the same time share one request. @throws McpFault where the issuer gives none. */
  async token(signal?: AbortSignal): Promise<string> {
    signal?.throwIfAborted();
    if (this.#kept === undefined || this.#kept.until <= performance.now()) this.#kept = this.#ask();
    return this.#kept.token;
  }

  /** The server refused the token, so the next one is asked for anew. */
  forget(): void {
    this.#kept = undefined;
  }

  #ask(): KeptToken {
    const kept: KeptToken = { token: this.#fetch((until) => (kept.until = until)), until: Number.POSITIVE_INFINITY };
    kept.token.catch(() => {
      if (this.#kept === kept) this.#kept = undefined;
    });
    return kept;
  }

  async #fetch(holds: (until: number) => void): Promise<string> {
    const { clientId, clientSecret, tokenUrl } = this.#auth;
    const credentials = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`);
    const response = await fetch(tokenUrl, {
      ...(await throughProxy()),
      method: 'POST',
      redirect: 'error',
      headers: { accept: 'application/json', authorization: `Basic ${credentials.toString('base64')}` },
      body: this.#form(),
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((error: unknown) => {
      throw new McpFault('not-sent', 'has no token: its issuer could not be reached', { cause: error });
    });
    if (!response.ok || response.body === null) {
      await response.body?.cancel();
      throw new McpFault('not-sent', `has no token: its issuer answered with status ${String(response.status)}`);
    }
    const { token, seconds } = await readToken(response.body).catch((error: unknown) => {
      throw new McpFault('not-sent', 'has no token: the answer of its issuer cannot be used', { cause: error });
    });
    const lifetime = seconds === undefined ? lifetimeMs.default : Math.min(seconds * 1000, lifetimeMs.most);
    holds(performance.now() + Math.max(lifetime - earlyMs, lifetime / 2));
    return token;
  }

  #form(): URLSearchParams {
    const { scope } = this.#auth;
    const form = new URLSearchParams({ resource: this.#resource, ...(scope === undefined ? {} : { scope }) });
    if (this.#subject === undefined) {
      form.set('grant_type', 'client_credentials');
      return form;
    }
    form.set('grant_type', 'urn:ietf:params:oauth:grant-type:token-exchange');
    form.set('subject_token', this.#subject);
    form.set('subject_token_type', 'urn:ietf:params:oauth:token-type:access_token');
    form.set('requested_token_type', 'urn:ietf:params:oauth:token-type:access_token');
    return form;
  }
}

/** The user's token in an `Authorization` header; undefined where there is none. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
}

/** A name for a user's token that does not give it away. */
export function nameOfToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

async function readToken(
  body: ReadableStream<Uint8Array>,
): Promise<{ readonly token: string; readonly seconds: number | undefined }> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > maxBytes) throw new Error('too long');
    chunks.push(chunk);
  }
  const answer: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  if (!hasMembers(answer)) throw new Error('no object');
  const { access_token: token, expires_in: seconds, token_type: type } = answer;
  if (typeof token !== 'string' || !tokenPattern.test(token)) throw new Error('no token');
  if (typeof type === 'string' && type.toLowerCase() !== 'bearer') throw new Error('another kind of token');
  const isLifetime = typeof seconds === 'number' && seconds > 0;
  return { token, seconds: isLifetime ? seconds : undefined };
}
