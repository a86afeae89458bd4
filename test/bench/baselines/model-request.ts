import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request } from 'node:http';
import type { BaselineOptions } from './baseline-options.ts';

/** Turns the model's answer into the server's. */
export type Relay = (modelAnswer: IncomingMessage, response: ServerResponse) => void;

/**
 * A server of node:http alone: reads `{message}`, asks the model for a stream, opens an event stream and leaves the rest
 * to `relay`. This is the least any server that speaks HTTP on both sides has to do.
 */
export function serveRelay(options: BaselineOptions, relay: Relay): void {
  const agent = new Agent({ keepAlive: true, maxSockets: 4096 });
  createServer((incoming, response) => {
    let received = '';
    incoming.setEncoding('utf8');
    incoming.on('data', (text: string) => (received += text));
    incoming.on('end', () => {
      const body = completionBody(options.model, messageOf(received));
      const outgoing = request(
        {
          agent,
          host: '127.0.0.1',
          port: options.upstreamPort,
          path: '/v1/chat/completions',
          method: 'POST',
          headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        },
        (modelAnswer) => {
          response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
          relay(modelAnswer, response);
        },
      );
      outgoing.on('error', () => response.destroy());
      outgoing.end(body);
    });
  }).listen({ port: options.port, host: '127.0.0.1', backlog: 4096 });
}

function messageOf(body: string): string {
  const parsed: unknown = JSON.parse(body);
  return typeof parsed === 'object' && parsed !== null && 'message' in parsed ? String(parsed.message) : '';
}

function completionBody(model: string, message: string): string {
  return JSON.stringify({
    model,
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      { role: 'system', content: 'You are a friendly assistant.' },
      { role: 'user', content: message },
    ],
  });
}
