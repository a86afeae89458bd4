import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ForwardProxy {
  readonly url: string;
  readonly port: number;
  /** What was asked for, as `METHOD address`. */
  readonly asked: string[];
  /** Where hosts are that nobody but the proxy can find. */
  readonly ports: Map<string, number>;
  /** The value of `Proxy-Authorization` that it wants. */
  wanted: string | undefined;
}

/** A proxy of a company, on a free port: it forwards requests to http addresses and tunnels the others. It ends with the test. */
export async function startForwardProxy(): Promise<ForwardProxy> {
  const asked: string[] = [];
  const ports = new Map<string, number>();
  const isRefused = ({ headers }: IncomingMessage): boolean =>
    proxy.wanted !== undefined && headers['proxy-authorization'] !== proxy.wanted;
  const server = createServer((incoming, response) => {
    asked.push(`${incoming.method ?? ''} ${incoming.url ?? ''}`);
    if (isRefused(incoming)) {
      response.writeHead(407, { 'proxy-authenticate': 'Basic realm="company"' }).end('<h1>Who are you?</h1>');
      return;
    }
    const { hostname, port, pathname, search } = new URL(incoming.url ?? '');
    const { method, headers } = incoming;
    const target = { host: '127.0.0.1', port: ports.get(hostname) ?? port, path: pathname + search, method, headers };
    const forwarded = request(target, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.writeHead(502).end());
    incoming.pipe(forwarded);
  });
  server.on('connect', (incoming, socket) => {
    asked.push(`CONNECT ${incoming.url ?? ''}`);
    socket.on('error', () => undefined);
    if (isRefused(incoming)) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const { hostname, port } = new URL(`tunnel://${incoming.url ?? ''}`);
    const target = connect({ host: '127.0.0.1', port: ports.get(hostname) ?? Number(port) }, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    target.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo; // a server that listens on TCP has an AddressInfo
  const proxy: ForwardProxy = { url: `http://127.0.0.1:${String(port)}`, port, asked, ports, wanted: undefined };
  return proxy;
}
