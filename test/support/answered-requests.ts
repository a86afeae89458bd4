import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

/**
 * Collects what servers of this process answer to requests for `host` and for paths that match, in order: `POST /helper/chat 403`.
 * Browsers hide these answers from pages that may not read them.
 */
export function answersTo(host: string, paths: RegExp): string[] {
  const answers: string[] = [];
  const hear = (message: unknown): void => {
    // Node documents this message for the channel
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    const [path = ''] = (request.url ?? '').split('?', 1);
    if (request.headers.host !== host || !paths.test(path)) return;
    answers.push(`${request.method ?? ''} ${path} ${String(response.statusCode)}`);
  };
  subscribe('http.server.response.finish', hear);
  onTestFinished(() => void unsubscribe('http.server.response.finish', hear));
  return answers;
}
