import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A token that was not made with this key, or is too old. */
export type TokenFault = 'unknown' | 'expired';

export interface ConnectionTokenOptions {
  readonly key: Uint8Array;
  /** Milliseconds a token may be used for. */
  readonly lifetimeMs: number;
  readonly now: () => number;
}

/** The result of negotiate: the public id of a connection, and the secret that opens this connection. */
export interface NegotiatedIds {
  readonly connectionId: string;
  readonly connectionToken: string;
}

/** The connection that a token opens. */
export interface OpenedToken {
  readonly connectionId: string;
  /** Stateful reconnect was negotiated. */
  readonly stateful: boolean;
}

/**
 * What was negotiated, as the token says it. 0: version 0, in which the token is also the public id. 1: version 1. `stateful`: version 1
 * with stateful reconnect.
 */
export type Negotiated = 0 | 1 | 'stateful';

/** An unguessable public id of a connection: 128 random bits as 22 characters of `[A-Za-z0-9_-]`. */
export function newConnectionId(): string {
  return randomBytes(16).toString('base64url');
}

/**
 * Signs and checks connection tokens, `id.negotiated+expiry.mac`, so that negotiate stores nothing. A token has at most 64 characters of
 * `[A-Za-z0-9._-]`. With negotiate version 0 the token is also the public id, because that version has only one id.
 */
export class ConnectionTokens {
  readonly #options: ConnectionTokenOptions;

  constructor(options: ConnectionTokenOptions) {
    this.#options = options;
  }

  /** Makes ids that only this caller can use. */
  issue(negotiated: Negotiated, callerKey: string): NegotiatedIds {
    const connectionId = newConnectionId();
    const expiry = (this.#options.now() + this.#options.lifetimeMs).toString(36);
    const signed = `${connectionId}.${String(negotiated).charAt(0)}${expiry}`;
    const connectionToken = `${signed}.${this.#mac(signed, callerKey)}`;
    return { connectionId: negotiated === 0 ? connectionToken : connectionId, connectionToken };
  }

  /** The public connection id the token stands for and may open now, or why it is refused. */
  open(token: string, callerKey: string): OpenedToken | TokenFault {
    const read = this.#read(token, callerKey);
    if (read === undefined) return 'unknown';
    return read.expiry < this.#options.now() ? 'expired' : read.opened;
  }

  /** The public id of the connection that the token has opened. The age of the token does not matter. */
  name(token: string, callerKey: string): string | undefined {
    return this.#read(token, callerKey)?.opened.connectionId;
  }

  #read(token: string, callerKey: string): { readonly opened: OpenedToken; readonly expiry: number } | undefined {
    const [id, negotiatedAndExpiry, mac, ...rest] = token.split('.');
    if (id === undefined || negotiatedAndExpiry === undefined || mac === undefined || rest.length > 0) return undefined;
    // The MACs are compared as text, because decoding would accept more than one spelling of a token.
    const expected = Buffer.from(this.#mac(`${id}.${negotiatedAndExpiry}`, callerKey));
    const given = Buffer.from(mac);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    const negotiated = negotiatedAndExpiry.charAt(0);
    const opened = { connectionId: negotiated === '0' ? token : id, stateful: negotiated === 's' };
    return { opened, expiry: Number.parseInt(negotiatedAndExpiry.slice(1), 36) };
  }

  #mac(signed: string, callerKey: string): string {
    // The signed text has no line break, so its end and the beginning of the caller's key are always clear.
    return createHmac('sha256', this.#options.key)
      .update(`${signed}\n${callerKey}`)
      .digest()
      .toString('base64url', 0, 16);
  }
}
