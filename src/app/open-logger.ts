import {
  destination,
  type DestinationStream,
  type Logger as PinoLogger,
  pino,
  stdSerializers,
  stdTimeFunctions,
} from 'pino';
import { withoutQueries } from '../core/errors/hidden-query.ts';

export interface LoggerOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** `auto`: readable in a terminal, JSON otherwise (contract/operations.md#logs). */
  readonly format: 'auto' | 'json' | 'pretty';
}

/** Whether log lines are for a person's eyes. The banner follows this too. */
export function isReadableLog(format: LoggerOptions['format']): boolean {
  return format === 'pretty' || (format === 'auto' && process.stdout.isTTY);
}

/** The server's logger, and how to get out what it still holds. */
export interface OpenLogger {
  readonly logger: PinoLogger;
  /** Resolves when every line so far is written. */
  readonly flush: () => Promise<void>;
}

/** Lines are gathered up to this many bytes or milliseconds: a line costs a turn less than a system call then. */
const minLength = 8192;
const periodicFlush = 100;

/**
 * The server's one logger. Secrets never reach it by construction; the paths below are the second line: credentials in
 * headers are replaced wherever a request is logged. What a crash leaves is written as the process exits.
 */
export async function openLogger(options: LoggerOptions): Promise<OpenLogger> {
  const stream: DestinationStream = isReadableLog(options.format) ? await readableStream() : gatheredLines();
  const logger = pino(
    {
      level: options.level,
      base: null,
      // People and log stores read both without a table.
      formatters: { level: (label) => ({ level: label }) },
      timestamp: stdTimeFunctions.isoTime,
      redact: { paths: ['headers.authorization', 'headers.cookie'], censor: '***' },
      serializers: { error: describedError, err: describedError },
    },
    stream,
  );
  return { logger, flush: () => flushed(logger) };
}

/** What pino makes of an error, without the queries of addresses in its texts. */
export function describedError(error: Error): unknown {
  // Code may throw anything. What is no error stays as it is.
  const described: unknown = stdSerializers.err(error);
  return described instanceof Object ? withoutQueriesInside(described) : described;
}

function withoutQueriesInside(described: object): unknown {
  const texts = Object.entries(described).map(([name, value]: [string, unknown]) => {
    return [name, typeof value === 'string' ? withoutQueries(value) : value];
  });
  const shown: unknown = Object.fromEntries(texts);
  return shown;
}

/**
 * Standard output, in large writes. Lines are gathered as bytes: as strings they are joined anew for each one, because
 * the stream counts the bytes of what it holds.
 */
function gatheredLines(): DestinationStream & { flush(done: (error?: Error) => void): void } {
  const stream = destination({ dest: 1, sync: false, minLength, periodicFlush, contentMode: 'buffer' });
  return {
    // This mode takes bytes, but the types know only its mode for texts.
    write: (line) => stream.write(Buffer.from(line) as unknown as string),
    flush: (done) => {
      stream.flush(done);
    },
  };
}

function flushed(logger: PinoLogger): Promise<void> {
  return new Promise((resolve) => {
    logger.flush(() => {
      resolve();
    });
  });
}

async function readableStream(): Promise<DestinationStream> {
  // Loaded only for terminals: production never pays for it.
  const { PinoPretty } = await import('pino-pretty');
  return PinoPretty({ colorize: process.stdout.isTTY, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' });
}
