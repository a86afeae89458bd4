import { onTestFinished } from 'vitest';

const handshake = '{"protocol":"json","version":1}\u001e';

/** A hub client of plain requests, with one connection and one token. */
export class HttpHubClient {
  readonly address: string;
  readonly #headers: Readonly<Record<string, string>>;

  private constructor(address: string, headers: Readonly<Record<string, string>>) {
    this.address = address;
    this.#headers = headers;
  }

  /** Negotiates without opening the connection. */
  static async negotiate(
    url: string,
    headers: Readonly<Record<string, string>> = {},
    query = '',
  ): Promise<HttpHubClient> {
    const response = await fetch(`${url}/negotiate?negotiateVersion=1&${query}`, { method: 'POST', headers });
    const { connectionToken } = (await response.json()) as { readonly connectionToken: string };
    const client = new HttpHubClient(`${url}?id=${connectionToken}`, headers);
    // The server waits until a polling client has received its Close.
    onTestFinished(async () => {
      await client.request('DELETE');
    });
    return client;
  }

  /** Opens a connection over LongPolling and shakes hands. */
  static async polling(url: string): Promise<HttpHubClient> {
    const client = await HttpHubClient.negotiate(url);
    await client.poll();
    await client.post(handshake);
    await client.poll();
    return client;
  }

  /** Makes one poll and returns its answer. */
  async poll(): Promise<{ readonly status: number; readonly text: string }> {
    const response = await this.request('GET');
    return { status: response.status, text: await response.text() };
  }

  post(body: string): Promise<Response> {
    return this.request('POST', { body });
  }

  request(
    method: string,
    more: Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> } = {},
  ): Promise<Response> {
    return fetch(this.address, { method, ...more, headers: { ...this.#headers, ...more.headers } });
  }

  /** Opens the event stream, which ends with the test. `next` reads the next data. */
  async stream(): Promise<{
    readonly response: Response;
    readonly next: () => Promise<string>;
    readonly leave: () => void;
  }> {
    const abort = new AbortController();
    const leave = (): void => {
      abort.abort();
    };
    onTestFinished(leave);
    const response = await this.request('GET', { headers: { accept: 'text/event-stream' }, signal: abort.signal });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    return { response, next: async () => (await reader?.read())?.value ?? '', leave };
  }
}
