import type { Logger } from '../../core/ports/logger.ts';
import { describeError } from '../shared/describe-error.ts';

/** The type of `@opentelemetry/core`, which is no direct dependency of this server. */
interface ExportResult {
  readonly code: number;
  readonly error?: Error;
}

interface Exporter<Batch> {
  export(batch: Batch, done: (result: ExportResult) => void): void;
}

const success = 0;

/**
 * Logs the first failure of an exporter, and then nothing until the exporter works again. The SDK sees every failure as a success, because
 * it would write each one to the console. Changes `exporter` and returns it.
 */
export function saidOnce<Batch, Kind extends Exporter<Batch>>(
  exporter: Kind,
  what: 'traces' | 'metrics',
  log: Logger,
): Kind {
  const send = exporter.export.bind(exporter);
  let isFailing = false;
  exporter.export = (batch, done) => {
    send(batch, ({ code, error }) => {
      if (code !== success && !isFailing) {
        log.warn({ what, reason: reasonOf(error) }, 'telemetry is not taken: what is not sent in time is dropped');
      }
      if (code === success && isFailing) log.info({ what }, 'telemetry is taken again');
      isFailing = code !== success;
      done({ code: success });
    });
  };
  return exporter;
}

/** The reason of a failure. A failed connect keeps its reasons in `errors`. A refusal has its status as the code. */
function reasonOf(error: Error | undefined): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  if (first === undefined) return 'the receiver asks to wait';
  const code = first instanceof Error && 'code' in first ? ` (${String(first.code)})` : '';
  return `${describeError(first)}${code}`;
}
