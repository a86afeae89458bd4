import { type Fields, flag, list, object, text, wrong } from '../read-values.ts';

/** Headers by their lower-case names, as Node gives them. */
export type PlainHeaders = Readonly<Record<string, string | string[]>>;

/** A request as it is sent to the replica that answers it. */
export interface ForwardedRequest {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly headers: PlainHeaders;
  /** The address of the client's socket. */
  readonly address: string;
  /** Whether the client's socket is a TLS one. */
  readonly encrypted: boolean;
  /** The whole body in base64. Null: there is none, or it comes as a stream. */
  readonly body: string | null;
  /** The id of the stream that brings the body. */
  readonly bodyId: string | null;
}

/** The beginning of an answer. Its body follows in pieces. */
export interface ForwardedAnswer {
  readonly status: number;
  readonly headers: PlainHeaders;
}

/** Headers that are about one connection between two programs (RFC 9110, 7.6.1), or that each side sets by itself. */
const hopByHop: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'http2-settings', 'expect', 'date'],
]);

/** The headers that go on to another replica. */
export function endToEnd(headers: NodeJS.Dict<string | string[]>): PlainHeaders {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || hopByHop.has(name) ? [] : [[name, value]],
    ),
  );
}

/** @throws ValueFault when it is no request of this version. */
export function readForwardedRequest(value: unknown): ForwardedRequest {
  const fields = object(value, 'the request');
  const path = text(fields['path'], 'path');
  if (!path.startsWith('/')) throw wrong('path is no path');
  return {
    method: oneOf(fields['method'], 'method', ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE']),
    path,
    headers: readHeaders(fields),
    address: text(fields['address'], 'address'),
    encrypted: flag(fields['encrypted'], 'encrypted'),
    body: textOrNull(fields['body'], 'body'),
    bodyId: textOrNull(fields['bodyId'], 'bodyId'),
  };
}

/** @throws ValueFault when it is no answer of this version. */
export function readForwardedAnswer(value: unknown): ForwardedAnswer {
  const fields = object(value, 'the answer');
  const { status } = fields;
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599)
    throw wrong('status is no status of an answer');
  return { status, headers: readHeaders(fields) };
}

function readHeaders(fields: Fields): PlainHeaders {
  const given = Object.entries(object(fields['headers'], 'headers'));
  return Object.fromEntries(
    given.map(([name, value]) => [
      name,
      Array.isArray(value) ? list(value, name).map((one) => text(one, name)) : text(value, name),
    ]),
  );
}

function oneOf(value: unknown, name: string, known: readonly string[]): string {
  const given = text(value, name);
  if (!known.includes(given)) throw wrong(`${name} is none of ${known.join(', ')}`);
  return given;
}

function textOrNull(value: unknown, name: string): string | null {
  return value === null ? null : text(value, name);
}
