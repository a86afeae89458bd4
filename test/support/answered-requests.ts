import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

/**
 * What servers of this process answer to requests for a host and for such paths, in order: `POST /helper/chat 403`. Browsers hide the answers
 * from pages that may not read them, so they are seen where they are made.
 */
export function answersTo(host: string, paths: RegExp): string[] {
  const answers: string[] = [];
  const hear = (message: unknown): void => {
    // Node's own channel of this name.
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    const [path = ''] = (request.url ?? '').split('?', 1);
    if (request.headers.host !== host || !paths.test(path)) return;
    answers.push(`${request.method ?? ''} ${path} ${String(response.statusCode)}`);
  };
  subscribe('http.server.response.finish', hear);
  onTestFinished(() => void unsubscribe('http.server.response.finish', hear));
  return answers;
}
