import { destination, type DestinationStream, type Logger as PinoLogger, pino, stdSerializers } from 'pino';
import { withoutQueries } from '../core/errors/hidden-query.ts';
import type { LogLine } from '../core/ports/logger.ts';

export interface LoggerOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** `auto`: readable in a terminal, JSON otherwise (contract/operations.md#logs). */
  readonly format: 'auto' | 'json' | 'pretty';
}

/** Whether people read the log lines directly. The banner uses the same rule. */
export function isReadableLog(format: LoggerOptions['format']): boolean {
  return format === 'pretty' || (format === 'auto' && process.stdout.isTTY);
}

/** The server's logger, and the function that writes out its gathered lines. */
export interface OpenLogger {
  readonly logger: PinoLogger;
  /** Resolves when every line so far is written. */
  readonly flush: () => Promise<void>;
}

/** Lines are gathered up to this many bytes or milliseconds, so that not every line costs a turn a system call. */
const minLength = 8192;
const periodicFlush = 100;
/** Bytes of lines that wait while they cannot be written. */
const maxLength = 4 * 1024 * 1024;

/** How a line is written. */
const writing = {
  base: null,
  // People and log stores can read the names of levels and ISO times without a table.
  formatters: { level: (label: string) => ({ level: label }), log: describedFields },
  redact: { paths: ['headers.authorization', 'headers.cookie'], censor: '***' },
};

/**
 * Writes lines as the log has them, for somebody else than the log: the JSON of an object with the fields and `message`, in which the log leaves
 * out credentials.
 */
export function lineWriter(): (line: LogLine) => string {
  let written = '';
  const stream: DestinationStream = {
    write: (line) => {
      written = line;
    },
  };
  const logger = pino({ ...writing, level: 'debug', timestamp: false, messageKey: 'message' }, stream);
  return ({ level, fields, message }) => {
    logger[level](fields, message);
    // The level comes first in every line, and is told beside it.
    return written.trimEnd().replace(/^\{"level":"\w+",?/, '{');
  };
}

/**
 * The server's one logger. The code never passes it secrets. As a second defence, it replaces the credentials in headers wherever a request
 * is logged. Gathered lines are also written when the process crashes.
 */
export async function openLogger(options: LoggerOptions): Promise<OpenLogger> {
  const stream: DestinationStream = isReadableLog(options.format) ? await readableStream() : gatheredLines();
  const logger = pino({ ...writing, level: options.level, timestamp: timeMember() }, stream);
  return { logger, flush: () => flushed(logger) };
}

/** Writes the time as pino's `isoTime` does. The lines of a busy server share their seconds, so a second is written once. */
function timeMember(): () => string {
  let [second, written] = [Number.NaN, ''];
  return () => {
    const now = Date.now();
    const begun = Math.floor(now / 1000);
    if (begun !== second) [second, written] = [begun, new Date(begun * 1000).toISOString().slice(0, -'000Z'.length)];
    return `,"time":"${written}${String(now - begun * 1000).padStart(3, '0')}Z"`;
  };
}

/**
 * The fields of a line as the log has them (contract/operations.md#logs): an error in any of them is written with its message, its stack and its
 * members, without the queries of addresses in their texts.
 */
export function describedFields(fields: object): Record<string, unknown> {
  const given = fields as Record<string, unknown>; // an object has text keys
  // Nearly all lines have none.
  if (!hasError(given)) return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value instanceof Error ? describedError(value) : value]),
  );
}

function hasError(fields: Record<string, unknown>): boolean {
  for (const name in fields) if (fields[name] instanceof Error) return true;
  return false;
}

/** The log form that pino gives an error, without the queries of addresses in its texts. */
function describedError(error: Error): unknown {
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
 * Standard output, in large writes. Lines are gathered as bytes: the stream counts bytes, and with strings it would join all gathered lines
 * again for each new one.
 */
function gatheredLines(): DestinationStream & { flush(done: (error?: Error) => void): void } {
  const stream = destination({ dest: 1, sync: false, minLength, maxLength, periodicFlush, contentMode: 'buffer' });
  // The disk of the log may be full. Lines are written once there is room, and dropped beyond `maxLength`.
  stream.on('error', () => undefined);
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
