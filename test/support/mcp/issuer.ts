import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request for a token as it arrived. */
export interface TokenRequest {
  readonly authorization: string | undefined;
  readonly form: Readonly<Record<string, string>>;
}

/** An issuer of tokens, on a free port. It ends with the test. Each token is `issued-N`, or `issued-N-for-TOKEN` for a token of a user. */
export async function startIssuer(seconds = 3600): Promise<{
  readonly tokenUrl: string;
  readonly requests: TokenRequest[];
  /** The status from now on. */
  status: number;
}> {
  const requests: TokenRequest[] = [];
  const issuer = { status: 200 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
      requests.push({ authorization: request.headers.authorization, form });
      const subject = form['subject_token'];
      const token = `issued-${String(requests.length)}${subject === undefined ? '' : `-for-${subject.slice(-8)}`}`;
      response.writeHead(issuer.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ access_token: token, token_type: 'Bearer', expires_in: seconds }));
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // It listens on a port of TCP.
  return Object.assign(issuer, { tokenUrl: `http://127.0.0.1:${String(port)}/token`, requests });
}
