import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { freePort } from '../free-port.ts';
import { makeToken, tokenSecret } from '../tokens.ts';

/** The cookie by which users sign in on the page. */
export const sessionCookie = 'session';

/** The settings of a server whose users answer on a page. */
export const confirmingSettings = {
  mcpServerEnabled: true,
  mcpCallerPrincipal: 'fromToken',
  auth: { jwt: { secret: tokenSecret, cookie: sessionCookie } },
  endpoints: { mcp: { confirmations: 'page' } },
} as const;

/** The environment of a server that knows its own address, as the links to its page need it. */
export async function ownAddress(): Promise<Readonly<Record<string, string>>> {
  const port = String(await freePort());
  return { HELPER__SERVER__PORT: port, HELPER__SERVER__PUBLICURL: `http://localhost:${port}` };
}

/** The token that the program of a user has, and the one that the browser of the user has. */
export async function tokensOf(
  sub: string,
  claims: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly program: string; readonly browser: string }> {
  const [program, browser] = await Promise.all(
    ['program', 'browser'].map((jti) => makeToken({ ...claims, sub, name: sub, jti })),
  );
  return { program: program ?? '', browser: browser ?? '' };
}

/** `modern` and `legacy`: the newer package in both revisions; `v1`: the older package. */
export type ConfirmingEra = 'modern' | 'legacy' | 'v1';

export interface ConfirmingClient {
  readonly client: Client;
  /** The addresses that the client was asked to open. */
  readonly opened: string[];
}

/** A client that opens addresses for its user, as far as `opens` is given. `opens` is told the address, and says what the user did. */
export async function confirmingClient(
  address: string,
  options: {
    /** Left out, the client is not signed in. */
    readonly token?: string;
    readonly era?: ConfirmingEra;
    readonly opens?: (address: string) => Promise<'accept' | 'decline' | 'cancel'>;
  },
): Promise<ConfirmingClient> {
  const { token, era = 'modern', opens } = options;
  const requestInit = token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } };
  const info = { name: 'test', version: '1' };
  const capabilities = opens === undefined ? {} : { elicitation: { url: {} } };
  const opened: string[] = [];
  if (era === 'v1') {
    const old = new OldClient(info, { capabilities });
    await old.connect(new OldTransport(new URL(address), { requestInit }));
    onTestFinished(() => old.close());
    return { client: old as unknown as Client, opened }; // the members that the tests use are the same
  }
  const negotiation = era === 'modern' ? { versionNegotiation: { mode: 'auto' as const } } : {};
  const client = new Client(info, { capabilities, ...negotiation });
  if (opens !== undefined) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      if (params.mode !== 'url') throw new Error('only addresses are opened');
      opened.push(params.url);
      return { action: await opens(params.url) };
    });
  }
  await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit }));
  onTestFinished(() => client.close());
  return { client, opened };
}

/** The page of a question as a browser without scripts uses it. */
export class PageOfQuestion {
  readonly #address: string;
  readonly #headers: Readonly<Record<string, string>>;

  /** `origin`: of the server. `link`: what the program was told, or an id. */
  constructor(
    origin: string,
    link: string,
    options: { readonly token?: string; readonly language?: string; readonly cookie?: string } = {},
  ) {
    const id = link.slice(link.lastIndexOf('/') + 1);
    this.#address = `${origin}/helper/confirm/${id}`;
    this.#headers = {
      ...(options.token === undefined ? {} : { cookie: `${options.cookie ?? sessionCookie}=${options.token}` }),
      ...(options.language === undefined ? {} : { 'accept-language': options.language }),
    };
  }

  open(headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return fetch(this.#address, { headers: { ...this.#headers, ...headers } });
  }

  /** The status of a GET with headers that `fetch` lets nobody set. */
  async statusWith(headers: Readonly<Record<string, string>>): Promise<number | undefined> {
    const asked = request(this.#address, { headers: { ...this.#headers, ...headers } }).end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage]; // as Node documents it
    response.resume();
    return response.statusCode;
  }

  async text(): Promise<string> {
    return (await this.open()).text();
  }

  /** Opens the page and sends its form. Resolves with the page after it. */
  async answer(answer: 'approve' | 'decline'): Promise<Response> {
    const proof = /name="proof" value="([^"]+)"/.exec(await this.text())?.[1] ?? '';
    return this.send(new URLSearchParams({ proof, answer }));
  }

  send(form: URLSearchParams, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return fetch(this.#address, { method: 'POST', body: form, headers: { ...this.#headers, ...headers } });
  }
}

/** The address in what a call has answered. */
export function linkIn(result: unknown): string {
  return /https?:\/\/[^\s"\\]+\/helper\/confirm\/[\w-]+(?:\.[\w-]+)?/.exec(JSON.stringify(result))?.[0] ?? '';
}
