import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as it arrived. */
export interface ApiRequestSeen {
  readonly method: string;
  /** The path with its query, not decoded. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface ApiServer {
  readonly url: string;
  readonly requests: ApiRequestSeen[];
  /** Answers from now on. */
  answer: (request: ApiRequestSeen, response: ServerResponse) => void;
}

/** Answers with JSON. */
export function json(value: unknown, status = 200, type = 'application/json'): ApiServer['answer'] {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': type }).end(JSON.stringify(value));
  };
}

/** A real HTTP API on a free port, which ends with the test. */
export async function startApi(answer: ApiServer['answer'] = json({ ok: true })): Promise<ApiServer> {
  const requests: ApiRequestSeen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const seen: ApiRequestSeen = {
        method: request.method ?? '',
        target: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      requests.push(seen);
      api.answer(seen, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const api: ApiServer = { url: `http://127.0.0.1:${String(port)}`, requests, answer };
  return api;
}
