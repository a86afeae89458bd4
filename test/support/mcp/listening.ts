import { onTestFinished } from 'vitest';

const revision = '2026-07-28';

/** A stream on which a client is told of changes, read as it comes. */
export interface ListenedStream {
  readonly status: number;
  /** The messages so far, and in the end what came of the stream. */
  readonly messages: readonly { readonly method?: string; readonly result?: object; readonly error?: object }[];
  /** How often the client was told that its list of tools has changed. */
  readonly told: () => number;
  /** Resolves once the stream has ended, however it has. */
  readonly ended: Promise<void>;
}

/** The request by which a client of the newer revision listens to its list of tools. */
export function listenRequest({
  token,
  id = 1,
}: { readonly token?: string | undefined; readonly id?: number | string } = {}): Omit<
  RequestInit,
  'headers' | 'body'
> & {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
} {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': revision,
      'mcp-method': 'subscriptions/listen',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id,
      method: 'subscriptions/listen',
      params: { notifications: { toolsListChanged: true }, _meta: meta },
    }),
  };
}

/** Listens as a client without a package. Resolves once the server has answered, and ends with the test. */
export async function listenTo(
  address: string,
  options: Parameters<typeof listenRequest>[0] = {},
): Promise<ListenedStream> {
  const gone = new AbortController();
  onTestFinished(() => {
    gone.abort();
  });
  const response = await fetch(address, { ...listenRequest(options), signal: gone.signal });
  const messages: ListenedStream['messages'][number][] = [];
  const acknowledged = Promise.withResolvers<undefined>();
  const ended = read(response, (message) => {
    messages.push(message);
    acknowledged.resolve(undefined);
  }).catch(() => undefined);
  await Promise.race([acknowledged.promise, ended]);
  const told = (): number => messages.filter(({ method }) => method === 'notifications/tools/list_changed').length;
  return { status: response.status, messages, told, ended };
}

async function read(
  { body, headers }: Response,
  onMessage: (message: ListenedStream['messages'][number]) => void,
): Promise<void> {
  if (body === null || headers.get('content-type') !== 'text/event-stream') return;
  let text = '';
  for await (const part of body.pipeThrough(new TextDecoderStream())) {
    const lines = (text + part).split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('data: ')) onMessage(JSON.parse(line.slice('data: '.length)) as object); // the server under test sends objects
    }
  }
}
