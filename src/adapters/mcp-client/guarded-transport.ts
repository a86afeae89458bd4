import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { hasMoreValues } from '../../core/base/json-depth.ts';
import { hasMembers } from '../shared/members.ts';

type SendOptions = Parameters<Transport['send']>[1];

/** The code of the error that stands in for an answer that broke off. */
export const brokenOffCode = -32_099;

/** Where in the `_meta` of a result its lists stand after it has passed this transport. */
export const rawKeys = {
  tools: 'helper/tools',
  content: 'helper/content',
  structuredContent: 'helper/structured-content',
} as const;

/** The most values of a message beside its lists. The SDK says of each wrong one, in one go and in one text, what is wrong. */
const mostValues = 1_000;

/**
 * Stands between the SDK and a transport, and makes three things harmless: the SDK refuses a whole list for one faulty item, looks at all
 * items in one go however many they are, and waits to the end of its time for an answer whose stream has ended.
 */
export class GuardedTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  readonly #inner: Transport;
  /** Ids of the requests without an answer. */
  readonly #waiting = new Set<string | number>();

  constructor(inner: Transport) {
    this.#inner = inner;
    inner.onclose = () => this.onclose?.();
    inner.onerror = (error) => this.onerror?.(error);
    inner.onmessage = (message, extra) => {
      if ('id' in message && message.id !== undefined && !('method' in message)) this.#waiting.delete(message.id);
      const lean = withoutLists(message);
      if (!hasMoreValues(lean.checked, mostValues)) this.onmessage?.(lean.message, extra);
      else if ('id' in message && message.id !== undefined && 'result' in message) this.#breakOff(message.id);
    };
  }

  get hasPerRequestStream(): boolean {
    return this.#inner.hasPerRequestStream === true;
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  setSupportedProtocolVersions(versions: string[]): void {
    this.#inner.setSupportedProtocolVersions?.(versions);
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  async send(message: JSONRPCMessage, options?: SendOptions): Promise<void> {
    const id = 'method' in message && 'id' in message ? message.id : undefined;
    if (id === undefined) {
      await this.#inner.send(message, options);
      return;
    }
    this.#waiting.add(id);
    const onRequestStreamEnd = (): void => {
      options?.onRequestStreamEnd?.();
      if (this.#waiting.delete(id)) this.#breakOff(id);
    };
    await this.#inner.send(message, { ...options, onRequestStreamEnd }).catch((error: unknown) => {
      this.#waiting.delete(id);
      throw error;
    });
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #breakOff(id: string | number): void {
    this.onmessage?.({ jsonrpc: '2.0', id, error: { code: brokenOffCode, message: 'the answer broke off' } });
  }
}

interface Lean {
  readonly message: JSONRPCMessage;
  /** What the SDK looks into. */
  readonly checked: unknown;
}

/** Moves what may be long in a result to where the SDK does not look at its items. */
function withoutLists(message: JSONRPCMessage): Lean {
  if (!('result' in message) || !hasMembers(message.result)) return { message, checked: message };
  const { structuredContent, ...result } = message.result;
  const moved: Record<string, unknown> = { [rawKeys.structuredContent]: structuredContent };
  for (const name of ['tools', 'content'] as const) {
    if (!Array.isArray(result[name])) continue;
    moved[rawKeys[name]] = result[name];
    result[name] = [];
  }
  const meta = hasMembers(result['_meta']) ? result['_meta'] : {};
  return { message: { ...message, result: { ...result, _meta: { ...meta, ...moved } } }, checked: result };
}

/** The result as its server has sent it. */
export function withLists(result: unknown): unknown {
  if (!hasMembers(result) || !hasMembers(result['_meta'])) return result;
  const {
    [rawKeys.tools]: tools,
    [rawKeys.content]: content,
    [rawKeys.structuredContent]: structured,
  } = result['_meta'];
  return {
    ...result,
    ...(tools !== undefined && { tools }),
    ...(content !== undefined && { content }),
    ...(structured !== undefined && { structuredContent: structured }),
  };
}
