import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface HostPage {
  readonly url: string;
  readonly origin: string;
  /** What the page consists of from now on. */
  serve(page: { readonly html: string; readonly contentSecurityPolicy?: string }): void;
}

/** A website of somebody else, on an origin of its own. */
export async function hostPage(): Promise<HostPage> {
  let html = '';
  let policy: string | undefined;
  const server = createServer((_request, response) => {
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      ...(policy === undefined ? {} : { 'content-security-policy': policy }),
    });
    response.end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // listening on TCP
  const origin = `http://127.0.0.1:${String(port)}`;
  return {
    origin,
    url: `${origin}/`,
    serve(page) {
      html = page.html;
      policy = page.contentSecurityPolicy;
    },
  };
}
