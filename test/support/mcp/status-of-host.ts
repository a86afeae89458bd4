import { request } from 'node:http';

/** The status of a request to an MCP server that names this host. */
export function statusOfHost(
  address: string,
  host: string,
  more: Readonly<Record<string, string>> = {},
): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const headers = { host, accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...more };
  const asked = request(address, { method: 'POST', headers }, (response) => {
    response.resume();
    resolve(response.statusCode);
  });
  asked.on('error', reject).end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }));
  return promise;
}
