import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A token that was not made with this key, or is too old. */
export type TokenFault = 'unknown' | 'expired';

export interface ConnectionTokenOptions {
  readonly key: Uint8Array;
  /** Milliseconds a token may be used for. */
  readonly lifetimeMs: number;
  readonly now: () => number;
}

/** What negotiate hands out: the public id, and the secret that opens the connection of that id. */
export interface NegotiatedIds {
  readonly connectionId: string;
  readonly connectionToken: string;
}

/** An unguessable public id of a connection: 128 random bits as 22 characters of `[A-Za-z0-9_-]`. */
export function newConnectionId(): string {
  return randomBytes(16).toString('base64url');
}

/**
 * Signs and checks connection tokens, `id.version+expiry.mac`, so that negotiate stores nothing. At most 64 characters of
 * `[A-Za-z0-9._-]`. With negotiate version 0 the token is also the public id, as that version knows only one of them.
 */
export class ConnectionTokens {
  readonly #options: ConnectionTokenOptions;

  constructor(options: ConnectionTokenOptions) {
    this.#options = options;
  }

  /** Ids that are of use to this caller only. */
  issue(version: 0 | 1, callerKey: string): NegotiatedIds {
    const connectionId = newConnectionId();
    const expiry = (this.#options.now() + this.#options.lifetimeMs).toString(36);
    const signed = `${connectionId}.${String(version)}${expiry}`;
    const connectionToken = `${signed}.${this.#mac(signed, callerKey)}`;
    return { connectionId: version === 0 ? connectionToken : connectionId, connectionToken };
  }

  /** The public connection id the token stands for and may open now, or why it is refused. */
  open(token: string, callerKey: string): { readonly connectionId: string } | TokenFault {
    const read = this.#read(token, callerKey);
    if (read === undefined) return 'unknown';
    return read.expiry < this.#options.now() ? 'expired' : { connectionId: read.connectionId };
  }

  /** The public id of the connection the token opened once: its age does not matter. */
  name(token: string, callerKey: string): string | undefined {
    return this.#read(token, callerKey)?.connectionId;
  }

  #read(token: string, callerKey: string): { readonly connectionId: string; readonly expiry: number } | undefined {
    const [id, versionAndExpiry, mac, ...rest] = token.split('.');
    if (id === undefined || versionAndExpiry === undefined || mac === undefined || rest.length > 0) return undefined;
    // Compared as text: decoding would accept more than one spelling of a token.
    const expected = Buffer.from(this.#mac(`${id}.${versionAndExpiry}`, callerKey));
    const given = Buffer.from(mac);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    const connectionId = versionAndExpiry.startsWith('0') ? token : id;
    return { connectionId, expiry: Number.parseInt(versionAndExpiry.slice(1), 36) };
  }

  #mac(signed: string, callerKey: string): string {
    // What is signed has no line break, so the two cannot run into each other.
    return createHmac('sha256', this.#options.key)
      .update(`${signed}\n${callerKey}`)
      .digest()
      .toString('base64url', 0, 16);
  }
}
