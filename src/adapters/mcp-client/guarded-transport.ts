import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { hasMembers } from '../shared/members.ts';

type SendOptions = Parameters<Transport['send']>[1];

/** The code of the error that stands in for an answer that broke off. */
export const brokenOffCode = -32_099;

/** Where the tools of a list stand after it has passed this transport. */
export const rawToolsKey = 'helper/tools';

/**
 * Stands between the SDK and a transport, and makes two things harmless: the SDK refuses a whole list for one faulty tool, and waits to the
 * end of its time for an answer whose stream has ended.
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
      this.onmessage?.(withRawTools(message), extra);
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
      if (!this.#waiting.delete(id)) return;
      this.onmessage?.({ jsonrpc: '2.0', id, error: { code: brokenOffCode, message: 'the answer broke off' } });
    };
    await this.#inner.send(message, { ...options, onRequestStreamEnd }).catch((error: unknown) => {
      this.#waiting.delete(id);
      throw error;
    });
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}

/** Moves the tools of a list to where the SDK does not look at them. */
function withRawTools<Message extends JSONRPCMessage>(message: Message): Message {
  if (!('result' in message)) return message;
  const { result } = message;
  if (!hasMembers(result)) return message;
  const { tools, _meta: meta } = result;
  if (!Array.isArray(tools)) return message;
  return {
    ...message,
    result: { ...result, tools: [], _meta: { ...(hasMembers(meta) ? meta : {}), [rawToolsKey]: tools } },
  };
}
