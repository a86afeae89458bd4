import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A token that was not made with this key, or is too old. */
export type TokenFault = 'unknown' | 'expired';

export interface ConnectionTokenOptions {
  /** The present keys. The first one signs, and all of them check. */
  readonly keys: () => TokenKeys;
  /** Milliseconds a token may be used for. */
  readonly lifetimeMs: number;
  readonly now: () => number;
  /** Milliseconds by which the clock of another process of the hub may be ahead or behind. Default: 0. */
  readonly skewMs?: number;
  /** The name of this process of the hub, which begins the ids it makes. Default: ids have no such beginning. */
  readonly replica?: string | undefined;
}

/** Keys of connection tokens, of 32 random bytes each. */
export type TokenKeys = readonly [Uint8Array, ...(readonly Uint8Array[])];

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

/**
 * An unguessable public id of a connection: 128 random bits as 22 characters of `[A-Za-z0-9_-]`, after the name of a process and a point
 * where the hub has several processes.
 */
export function newConnectionId(replica?: string): string {
  const id = randomBytes(16).toString('base64url');
  return replica === undefined ? id : `${replica}.${id}`;
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
    const connectionId = newConnectionId(this.#options.replica);
    const expiry = (this.#options.now() + this.#options.lifetimeMs).toString(36);
    const signed = `${connectionId}.${String(negotiated).charAt(0)}${expiry}`;
    const [signing] = this.#options.keys();
    const connectionToken = `${signed}.${macOf(signing, signed, callerKey)}`;
    return { connectionId: negotiated === 0 ? connectionToken : connectionId, connectionToken };
  }

  /** The public connection id the token stands for and may open now, or why it is refused. */
  open(token: string, callerKey: string): OpenedToken | TokenFault {
    const read = this.#read(token, callerKey);
    if (read === undefined) return 'unknown';
    const { now, skewMs = 0 } = this.#options;
    return read.expiry + skewMs < now() ? 'expired' : read.opened;
  }

  /** The public id of the connection that the token has opened. The age of the token does not matter. */
  name(token: string, callerKey: string): string | undefined {
    return this.#read(token, callerKey)?.opened.connectionId;
  }

  #read(token: string, callerKey: string): { readonly opened: OpenedToken; readonly expiry: number } | undefined {
    const parts = /^((?:[a-z0-9]+\.)?[A-Za-z0-9_-]+)\.([A-Za-z0-9]+)\.([A-Za-z0-9_-]+)$/.exec(token);
    if (parts === null) return undefined;
    const [, id = '', negotiatedAndExpiry = '', given = ''] = parts;
    if (!this.#isSigned(`${id}.${negotiatedAndExpiry}`, given, callerKey)) return undefined;
    const negotiated = negotiatedAndExpiry.charAt(0);
    const opened = { connectionId: negotiated === '0' ? token : id, stateful: negotiated === 's' };
    return { opened, expiry: Number.parseInt(negotiatedAndExpiry.slice(1), 36) };
  }

  /** The MACs are compared as text, because decoding would accept more than one spelling of a token. */
  #isSigned(signed: string, mac: string, callerKey: string): boolean {
    const given = Buffer.from(mac);
    return this.#options.keys().some((key) => {
      const expected = Buffer.from(macOf(key, signed, callerKey));
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
  }
}

function macOf(key: Uint8Array, signed: string, callerKey: string): string {
  // The signed text has no line break, so its end and the beginning of the caller's key are always clear.
  return createHmac('sha256', key).update(`${signed}\n${callerKey}`).digest().toString('base64url', 0, 16);
}
