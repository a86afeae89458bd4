import { type OutgoingHttpHeaders, request } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly body: string;
}

export interface Asked {
  readonly headers?: OutgoingHttpHeaders;
  /** The body. An object is sent as JSON, and a text is sent unchanged. */
  readonly body?: object | string;
  /** The address of this machine from which the request comes. */
  readonly localAddress?: string;
}

/**
 * Asks `POST /path` of the server at `url`, on a connection of its own and with any header, `Host` included. A 101 counts as an answer too,
 * and the client then closes its socket.
 */
export function ask(url: string, what: string, { headers, body, localAddress }: Asked = {}): Promise<Answer> {
  const [method = '', path = ''] = what.split(' ', 2);
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(path, url), { method, headers, localAddress, agent: false });
    outgoing.once('error', reject);
    outgoing.once('upgrade', (_response, socket) => {
      socket.destroy();
      resolve({ status: 101, body: '' });
    });
    outgoing.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.once('error', reject);
      response.once('end', () => {
        resolve({ status: response.statusCode ?? 0, body: text });
      });
    });
    outgoing.end(typeof body === 'object' ? JSON.stringify(body) : body);
  });
}
