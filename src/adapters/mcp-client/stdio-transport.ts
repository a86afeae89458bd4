import { setTimeout as sleep } from 'node:timers/promises';
import { deserializeMessage, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { atMost } from '../../core/base/at-most.ts';
import { Program, type ProgramOptions } from './child-process.ts';
import { McpFault } from './mcp-fault.ts';
import type { McpLimits } from './mcp-limits.ts';
import { MessageShape } from './message-shape.ts';

const lineFeed = 0x0a;

/**
 * Speaks with a program over its input and output, one message a line. Messages are bounded, and are read no faster than the limits allow:
 * a program that floods waits, and slows down only itself (contract/mcp-servers.md#limits).
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #options: ProgramOptions;
  readonly #limits: McpLimits;
  #program: Program | undefined;
  #closing: Promise<void> | undefined;
  #hasEndedItself = false;

  constructor(options: Omit<ProgramOptions, 'limits'>, limits: McpLimits) {
    this.#options = { ...options, limits };
    this.#limits = limits;
  }

  /** @throws McpFault where the program cannot be started. */
  async start(): Promise<void> {
    const program = await Program.start(this.#options);
    this.#program = program;
    if (this.#closing !== undefined) await program.close();
    void this.#read(program)
      .catch((error: unknown) => {
        this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      })
      .finally(() => {
        this.#hasEndedItself = this.#closing === undefined;
        void this.close();
      });
  }

  /** The fault of a program that has ended by itself. Undefined for one that has not. */
  async endFault(): Promise<McpFault | undefined> {
    const program = this.#program;
    if (program === undefined || !this.#hasEndedItself) return undefined;
    // Its output ends a moment before it does.
    await atMost(this.#limits.closeMs / 4, program.ended);
    const { ending } = program;
    return ending === undefined
      ? undefined
      : new McpFault('broken', `ended its program before it answered (${ending})`);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#program === undefined || this.#closing !== undefined)
      throw new McpFault('not-sent', 'has ended its program');
    await this.#program.write(`${JSON.stringify(message)}\n`);
  }

  /** Resolves once the program and everything that it has started have ended. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    // Whoever waits for an answer is told first. The end of a program may take its time.
    this.onclose?.();
    await this.#program?.close();
  }

  async #read(program: Program): Promise<void> {
    const { answerBytes, streamEvents, windowMs } = this.#limits;
    let rest: Buffer[] = [];
    let length = 0;
    let messages = 0;
    let since = performance.now();
    const chunks: AsyncIterable<Buffer> = program.output;
    for await (const chunk of chunks) {
      let from = 0;
      for (let to = chunk.indexOf(lineFeed); to !== -1; to = chunk.indexOf(lineFeed, from)) {
        const line = Buffer.concat([...rest, chunk.subarray(from, to)]);
        rest = [];
        length = 0;
        from = to + 1;
        if (new MessageShape().isTooWide(line)) throw tooMuch();
        this.#take(line);
        messages += 1;
        if (messages < streamEvents) continue;
        const leftMs = since + windowMs - performance.now();
        if (leftMs > 0) await sleep(leftMs, undefined, { ref: false });
        since = performance.now();
        messages = 0;
      }
      rest.push(chunk.subarray(from));
      length += chunk.byteLength - from;
      if (length > answerBytes) throw tooMuch();
      if (performance.now() - since > windowMs) {
        since = performance.now();
        messages = 0;
      }
    }
  }

  /** Programs write other lines too, which are no messages. */
  #take(line: Buffer): void {
    let message: JSONRPCMessage;
    try {
      message = deserializeMessage(line.toString('utf8'));
    } catch {
      return;
    }
    this.onmessage?.(message);
  }
}

function tooMuch(): McpFault {
  return new McpFault('broken', 'sent more than this server reads');
}
