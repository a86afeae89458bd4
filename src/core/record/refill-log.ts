import type { RecordedEvent } from '../events/turn-event.ts';
import type { EventLog } from './event-log.ts';
import type { RecordLine } from './record-line.ts';

/**
 * Puts the events of stored lines back into a log, under their numbers. `onEvent` is told of each event that is not
 * text and was not withdrawn.
 */
export function refillLog(
  log: EventLog,
  lines: readonly RecordLine[],
  onEvent: (key: string, event: RecordedEvent) => void = () => undefined,
): void {
  const withdrawn = new Set(lines.flatMap((line) => (line[0] === 'withdrawn' ? [line[1]] : [])));
  for (const line of lines) {
    if (line[0] === 'event' && withdrawn.has(line[1])) log.blank(log.addWritten(line[2], line[3]).seq);
    else if (line[0] === 'event') onEvent(line[1], log.addWritten(line[2], line[3]));
    else if (line[0] === 'text') for (const piece of line[1]) log.addText(piece, line[2]);
    else if (line[0] === 'from') log.beginAt(line[1], line[2]);
  }
}
