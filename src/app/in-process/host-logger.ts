import type { Logger } from '../../core/ports/logger.ts';
import type { ActionLog } from '../../plugin-api/index.ts';
import { describedFields } from '../open-logger.ts';

/** The host's own log as ours: errors are written out, without the queries of addresses in their texts. */
export function hostLogger(log: ActionLog, bound: object = {}): Logger {
  const write =
    (level: keyof ActionLog) =>
    (fields: object, message: string): void => {
      log[level]({ ...bound, ...describedFields(fields) }, message);
    };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: (fields) => hostLogger(log, { ...bound, ...fields }),
  };
}
