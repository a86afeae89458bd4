import type { Logger } from '../../core/ports/logger.ts';
import { describeError } from '../shared/describe-error.ts';

/** As `@opentelemetry/core` has it, which is no package of ours. */
interface ExportResult {
  readonly code: number;
  readonly error?: Error;
}

interface Exporter<Batch> {
  export(batch: Batch, done: (result: ExportResult) => void): void;
}

const success = 0;

/**
 * Has failures of an exporter said once until it works again, in our log. The SDK is told of none: it would write each of
 * them to the console. Changes `exporter` and returns it.
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

/** A failed connect keeps its reasons one level down; a refusal has its status as the code. */
function reasonOf(error: Error | undefined): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  if (first === undefined) return 'the receiver asks to wait';
  const code = first instanceof Error && 'code' in first ? ` (${String(first.code)})` : '';
  return `${describeError(first)}${code}`;
}
