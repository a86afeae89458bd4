import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A key in the form that an operator makes. */
export const callbackSecret = `whsec_${Buffer.from('a key of thirty-two bytes, no less').toString('base64')}`;

/** One request as it arrived. */
export interface CallbackCall {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
  /** The parsed body; empty for GET. */
  readonly body: Readonly<Record<string, unknown>>;
}

export type CallbackAnswer = (response: ServerResponse, call: CallbackCall) => void;

export interface CallbackReceiver {
  readonly url: string;
  /** Everything that was received, in order. */
  readonly calls: CallbackCall[];
  readonly posts: () => readonly CallbackCall[];
  /** The answer to GET from now on. A manifest is sent as it is. A function sends the answer itself. */
  manifest: object | CallbackAnswer;
  /** The answer to POST from now on. */
  answer: CallbackAnswer;
  /** Resolves after the next GET was answered. */
  nextManifest(): Promise<void>;
  close(): Promise<void>;
}

/** Answers with JSON. */
export function json(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): CallbackAnswer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
}

/** Takes the request and closes the connection without an answer. */
export const hangUp: CallbackAnswer = (response) => {
  response.destroy();
};

/** Takes the request and never answers. */
export const silent: CallbackAnswer = () => undefined;

/** The signature that Standard Webhooks demands for a request. */
export function expectedSignature({ headers, raw }: CallbackCall, secret = callbackSecret): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${raw}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

/** A host application with the HTTP action-callback, on a free port. It answers as the test says, and ends with the test. */
export async function startCallback(
  manifest: object | CallbackAnswer,
  atEnd: (end: () => void | Promise<void>) => void = onTestFinished,
): Promise<CallbackReceiver> {
  const waiting: (() => void)[] = [];
  const server = createServer((incoming, response) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', () => {
      const raw = Buffer.concat(parts).toString('utf8');
      const body = raw === '' ? {} : (JSON.parse(raw) as Record<string, unknown>); // the server under test sends this; otherwise the test fails
      const call = { method: incoming.method ?? '', headers: incoming.headers, raw, body };
      receiver.calls.push(call);
      if (call.method === 'POST') {
        receiver.answer(response, call);
        return;
      }
      response.once('close', () => {
        for (const resolve of waiting.splice(0)) resolve();
      });
      if (typeof receiver.manifest === 'function') receiver.manifest(response, call);
      else json(receiver.manifest)(response, call);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server that listens has an AddressInfo. Only pipes have texts.
  const { port } = server.address() as AddressInfo;
  const receiver: CallbackReceiver = {
    url: `http://127.0.0.1:${String(port)}/helper`,
    calls: [],
    posts: () => receiver.calls.filter(({ method }) => method === 'POST'),
    manifest,
    answer: json({ result: 'done' }),
    nextManifest: () => new Promise((resolve) => waiting.push(resolve)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
  atEnd(() => receiver.close());
  return receiver;
}
