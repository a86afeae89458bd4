import { request, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

export interface SseFrame {
  readonly id?: string;
  readonly event?: string;
  readonly comment?: string;
  readonly retry?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

export interface SseConversation {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly frames: SseFrame[];
  /** The next frame with this event name that no earlier call has returned. Rejects when the stream ends without one. */
  next(event: string): Promise<SseFrame>;
  /** Resolves when the server has ended or cut the stream. */
  readonly closed: Promise<void>;
  /** The text of all `text` frames so far. */
  text(): string;
  /** Everything that was read so far, byte for byte. */
  raw(): string;
  close(): void;
  readonly response: IncomingMessage;
}

export interface SseRequest {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The address of this machine from which the request comes. */
  readonly localAddress?: string;
}

/** Opens a stream as a plain program does, and reads its frames. */
export async function openSse(url: string, options: SseRequest = {}): Promise<SseConversation> {
  const { outgoing, response } = await send(url, options);
  const frames: SseFrame[] = [];
  const waiting: (PromiseWithResolvers<SseFrame> & { readonly event: string })[] = [];
  let isOver = false;
  const taken = new Set<SseFrame>();
  const closed = Promise.withResolvers<undefined>();
  let raw = '';
  let rest = '';
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    raw += chunk;
    // A long frame comes in many pieces: only a piece that ends it is worth a look at all of it.
    const mayEnd = chunk.includes('\n\n') || (chunk.startsWith('\n') && rest.endsWith('\n'));
    rest += chunk;
    if (!mayEnd) return;
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const frame = parseFrame(block);
      frames.push(frame);
      const index = waiting.findIndex(({ event }) => event === frame.event);
      if (index < 0) continue;
      taken.add(frame);
      waiting.splice(index, 1)[0]?.resolve(frame);
    }
  });
  const without = (event: string): Error =>
    new Error(`the stream (status ${String(response.statusCode)}) ended without ${event}: ${raw.slice(-500)}`);
  response.on('close', () => {
    isOver = true;
    closed.resolve(undefined);
    for (const { event, reject } of waiting) reject(without(event));
  });
  response.on('error', () => undefined);
  outgoing.on('error', () => undefined);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    frames,
    closed: closed.promise,
    response,
    next(event) {
      const found = frames.find((frame) => frame.event === event && !taken.has(frame));
      if (found === undefined && isOver) return Promise.reject(without(event));
      if (found === undefined) {
        const coming = { event, ...Promise.withResolvers<SseFrame>() };
        waiting.push(coming);
        return coming.promise;
      }
      taken.add(found);
      return Promise.resolve(found);
    },
    text: () => frames.map((frame) => (frame.event === 'text' ? String(frame.data?.['text']) : '')).join(''),
    raw: () => raw,
    close: () => outgoing.destroy(),
  };
}

function send(url: string, options: SseRequest): Promise<{ outgoing: ClientRequest; response: IncomingMessage }> {
  return new Promise((resolve, reject) => {
    const body = options.body === undefined ? undefined : JSON.stringify(options.body);
    const outgoing = request(url, {
      method: options.method ?? (body === undefined ? 'GET' : 'POST'),
      agent: false,
      localAddress: options.localAddress,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...options.headers },
    });
    outgoing.once('response', (response) => {
      resolve({ outgoing, response });
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

function parseFrame(block: string): SseFrame {
  const frame: Record<string, unknown> = {};
  for (const line of block.split('\n')) {
    const colon = line.indexOf(': ');
    const name = colon === 0 ? 'comment' : line.slice(0, colon);
    const value = line.slice(colon + 2);
    frame[name] = name === 'data' ? JSON.parse(value) : value;
  }
  return frame;
}
