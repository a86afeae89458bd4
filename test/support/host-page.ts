import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A further file of a website. */
export interface HostFile {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HostPage {
  readonly url: string;
  readonly origin: string;
  /** Sets the content of the website. Each of `files` is served at its own path. The page is served at all other paths. */
  serve(page: {
    readonly html: string;
    readonly contentSecurityPolicy?: string;
    readonly files?: Readonly<Record<string, HostFile>>;
  }): void;
}

/** A website of another owner. It has its own origin, of this host name and a free port. */
export async function hostPage(name = '127.0.0.1'): Promise<HostPage> {
  let html = '';
  let policy: string | undefined;
  let files: Readonly<Record<string, HostFile>> = {};
  const server = createServer((request, response) => {
    const file = files[request.url ?? ''];
    if (file !== undefined) {
      response.writeHead(file.status ?? 200, file.headers);
      response.end(file.body);
      return;
    }
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
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const origin = `http://${name}:${String(port)}`;
  return {
    origin,
    url: `${origin}/`,
    serve(page) {
      html = page.html;
      policy = page.contentSecurityPolicy;
      files = page.files ?? {};
    },
  };
}
