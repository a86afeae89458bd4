import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { wordVector } from './word-vector.ts';

/** A request as the server received it. */
interface ReceivedTexts {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly texts: readonly string[];
  readonly body: Readonly<Record<string, unknown>>;
}

/** Answers a request in place of the server. */
export type EmbeddingScript = (request: ReceivedTexts, response: ServerResponse) => void;

export interface EmbeddingServer {
  /** The address for `baseUrl`. It ends in `/v1`. */
  readonly url: string;
  readonly origin: string;
  readonly requests: readonly ReceivedTexts[];
  /** All texts that were sent, in order. */
  texts(): readonly string[];
  /** Answers all requests from now on with `script`. With undefined the server answers by itself again. */
  answerWith(script: EmbeddingScript | undefined): void;
  close(): void;
}

/** Options for the vectors of the server. */
interface VectorOptions {
  readonly same?: readonly (readonly string[])[];
  readonly dimensions?: number;
}

/** An embedding server that is open until the test ends. */
export async function startEmbeddingServer(options: VectorOptions = {}): Promise<EmbeddingServer> {
  const server = await openEmbeddingServer(options);
  onTestFinished(() => server.close());
  return server;
}

/**
 * A server that speaks OpenAI's `/embeddings` on a free port. The vector of a text comes from its words. Two texts are near each other if
 * they share words. `same` lists words that count as equal.
 */
export async function openEmbeddingServer(options: VectorOptions = {}): Promise<EmbeddingServer> {
  const requests: ReceivedTexts[] = [];
  let script: EmbeddingScript | undefined;
  const server = createServer((incoming, response) => {
    void received(incoming).then((request) => {
      requests.push(request);
      if (script === undefined) sendVectors(response, request, options);
      else script(request, response);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo; // it listens on a port
  const origin = `http://127.0.0.1:${String(port)}`;
  return {
    url: `${origin}/v1`,
    origin,
    requests,
    texts: () => requests.flatMap(({ texts }) => texts),
    answerWith: (next) => {
      script = next;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Answers a request with this list in the place of vectors. The list may be wrong on purpose. */
export function sendEmbeddings(response: ServerResponse, vectors: readonly unknown[]): void {
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));
  const usage = { prompt_tokens: vectors.length, total_tokens: vectors.length };
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ object: 'list', data, usage }));
}

/** Refuses a request as OpenAI does. */
export function sendRefusal(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }));
}

/** Answers as the server does by itself. */
export function sendVectors(
  response: ServerResponse,
  { texts, body }: ReceivedTexts,
  { same = [], dimensions = 256 }: VectorOptions = {},
): void {
  const vectors = texts.map((text) => wordVector(text, { dimensions, same }));
  const isPacked = body['encoding_format'] === 'base64';
  sendEmbeddings(
    response,
    vectors.map((vector) => (isPacked ? Buffer.from(vector.buffer).toString('base64') : [...vector])),
  );
}

async function received(incoming: IncomingMessage): Promise<ReceivedTexts> {
  let text = '';
  for await (const part of incoming) text += String(part);
  const body = JSON.parse(text) as Record<string, unknown>; // requests are JSON objects
  const { input } = body;
  const texts = (Array.isArray(input) ? input : [input]).map(String);
  return { path: incoming.url ?? '', headers: incoming.headers, texts, body };
}
