import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import type { BuiltPage } from './build-page.ts';
import { answerWithReply } from './reply-streams.ts';

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
};

/** A website with one page per product, and the model and the servers behind them. */
export interface PageServer {
  readonly origin: string;
  /** The page of a product from now on. */
  readonly serve: (name: string, page: BuiltPage) => void;
  /** The page of a product that is one script tag. */
  readonly embed: (name: string, scriptUrl: string) => void;
  readonly close: () => void;
}

/** Starts it on a free port. */
export async function startPageServer(): Promise<PageServer> {
  const pages = new Map<string, string>();
  const builds = new Map<string, BuiltPage>();
  const server = createServer((request, response) => {
    void answerWithReply(request, response).then((answered) => {
      if (answered) return;
      const [, name = '', file = ''] = (request.url ?? '').split('/');
      if (file === '') sendPage(response, pages.get(name));
      else sendFile(response, builds.get(name), file);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a server that listens on TCP has an AddressInfo
  return {
    origin: `http://127.0.0.1:${String(port)}`,
    serve(name, page) {
      builds.set(name, page);
      pages.set(name, pageOf(name, tagsOf(page.entries)));
    },
    embed: (name, scriptUrl) => void pages.set(name, pageOf(name, `<script async src="${scriptUrl}"></script>`)),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function tagsOf(entries: readonly string[]): string {
  return entries
    .map((file) =>
      file.endsWith('.css')
        ? `<link rel="stylesheet" href="${file}">`
        : `<script type="module" src="${file}"></script>`,
    )
    .join('');
}

/** A page without faults, so that every fault that axe finds belongs to the product. */
function pageOf(name: string, tags: string): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${name}</title><link rel="icon" href="data:,">${tags}</head>` +
    `<body><main><h1>Orders</h1><p>A page of an application.</p><div id="app"></div></main></body></html>`
  );
}

function sendPage(response: ServerResponse, page: string | undefined): void {
  response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(page);
}

function sendFile(response: ServerResponse, page: BuiltPage | undefined, name: string): void {
  const contents = page?.files.get(name);
  if (contents === undefined) {
    response.writeHead(404).end();
    return;
  }
  const body = compressed(contents);
  response.writeHead(200, {
    'content-type': contentTypes[extname(name)] ?? 'application/octet-stream',
    'content-encoding': 'br',
    'content-length': body.length,
  });
  response.end(body);
}

const compressedOnce = new WeakMap<Uint8Array, Buffer>();

/** At the highest quality, as the widget's own files are. Only what a page asks for is compressed: some have hundreds of files. */
function compressed(contents: Uint8Array): Buffer {
  const known = compressedOnce.get(contents);
  if (known !== undefined) return known;
  const body = brotliCompressSync(contents, {
    params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
  });
  compressedOnce.set(contents, body);
  return body;
}
