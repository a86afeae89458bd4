import type { Logger } from '../../core/ports/logger.ts';
import type { Spans } from './spans.ts';

/** A log whose lines name the trace of their turn as `trace_id` (contract/operations.md#traces). */
export function traceLog(log: Logger, spans: Spans): Logger {
  const traced = (fields: object): object => {
    const { current } = spans;
    return current === undefined ? fields : { ...fields, trace_id: current.trace.id };
  };
  return {
    debug: (fields, message) => {
      log.debug(traced(fields), message);
    },
    info: (fields, message) => {
      log.info(traced(fields), message);
    },
    warn: (fields, message) => {
      log.warn(traced(fields), message);
    },
    error: (fields, message) => {
      log.error(traced(fields), message);
    },
    child: (fields) => traceLog(log.child(fields), spans),
  };
}
