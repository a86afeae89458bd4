import type { Duplex } from 'node:stream';
import { httpStatusByCode, problemOf } from '../../channels/shared/problem-json.ts';
import { securityHeaders } from '../../channels/shared/security-headers.ts';
import type { RequestErrorCode } from '../../core/errors/error-codes.ts';
import { randomId } from '../../core/base/random-id.ts';
import type { RequestsInTurn } from './requests-in-turn.ts';

interface Fault {
  readonly code: RequestErrorCode;
  readonly reason: string;
  readonly detail: string;
}

const faults: Readonly<Record<string, Fault>> = {
  HPE_HEADER_OVERFLOW: {
    code: 'uri_too_long',
    reason: 'Request Header Fields Too Large',
    detail: 'The address and headers together are larger than 64 KiB.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'request_timeout',
    reason: 'Request Timeout',
    detail: 'The request did not arrive within server.requestTimeout.',
  },
};

const notHttp: Fault = { code: 'invalid_request', reason: 'Bad Request', detail: 'The request is not valid HTTP.' };

/** Milliseconds from the answer to cutting a client that does not close its side. */
const lingerMs = 1000;

const answered = new WeakSet<Duplex>();

/**
 * Answers a request that the HTTP parser refuses, or that takes too long to arrive. No request object exists then, so the answer is written
 * to the bare socket.
 */
export function answerMalformed(
  error: Error & { readonly code?: string },
  socket: Duplex,
  inTurn: Pick<RequestsInTurn, 'canAnswerFault'>,
): void {
  // The bytes that a client sends after this answer are malformed too. The socket is cut soon.
  if (answered.has(socket)) return;
  if (error.code === 'ECONNRESET' || !socket.writable || !inTurn.canAnswerFault(socket)) {
    socket.destroy();
    return;
  }
  answered.add(socket);
  socket.end(answerOf(faults[error.code ?? ''] ?? notHttp));
  const linger = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => {
    clearTimeout(linger);
  });
}

function answerOf({ code, reason, detail }: Fault): string {
  const problem = problemOf(code, detail, randomId());
  const body = JSON.stringify(problem);
  const headers = {
    ...securityHeaders,
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'x-request-id': problem.requestId,
    connection: 'close',
    'content-length': String(Buffer.byteLength(body)),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${String(httpStatusByCode[code])} ${reason}\r\n${lines.join('')}\r\n${body}`;
}
