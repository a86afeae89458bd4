import type { Logger, LogLine } from '../ports/logger.ts';

/** A log whose lines are told to `listener` as well. Lines of its children are in the log alone. */
export function heardLog(log: Logger, listener: (line: LogLine) => void): Logger {
  const write =
    (level: LogLine['level']) =>
    (fields: object, message: string): void => {
      log[level](fields, message);
      listener({ level, fields, message });
    };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: (fields) => log.child(fields),
  };
}
