import type { EventLog, SpokenText } from './event-log.ts';
import type { RecordLine } from './record-line.ts';

/** All events of a turn as lines. `told` has the number of each event that is not text, by its key. */
export function linesOf(log: EventLog, told: ReadonlyMap<string, number>): readonly RecordLine[] {
  const { firstSeq, evictedText } = log;
  const keys = new Map([...told].map(([key, seq]) => [seq, key]));
  const lines: RecordLine[] = firstSeq === 1 ? [] : [['from', firstSeq, evictedText]];
  for (const [key, seq] of told) if (seq < firstSeq) lines.push(['told', key]);
  for (const event of log.content()) {
    const last = lines.at(-1);
    if (!('pieces' in event)) lines.push(['event', keys.get(event.seq) ?? '', event.type, event.json]);
    else if (last?.[0] === 'text' && (last[2] ?? log.agent) === event.agent) {
      lines[lines.length - 1] = textLineOf(log, { ...event, pieces: [...last[1], ...event.pieces] });
    } else lines.push(textLineOf(log, event));
  }
  return lines;
}

/** A text in a row as a line. */
export function textLineOf(log: Pick<EventLog, 'agent'>, { pieces, agent }: SpokenText): RecordLine {
  return agent === log.agent ? ['text', pieces] : ['text', pieces, agent];
}
