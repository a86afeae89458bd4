import { keptBytes } from '../base/kept-bytes.ts';
import type { RecordedEvent, TurnEventType } from '../events/turn-event.ts';
import { TextEventWriter } from './text-event.ts';

/** Marks a line that is the text of an event rather than its type and its JSON. */
const textMark = '"';

/** The events of a turn as data. */
export interface SealedLogContent {
  /** The number of the first event in `lines`. */
  readonly firstSeq: number;
  /** One per event: see `textLine` and `eventLine`. */
  readonly lines: readonly string[];
}

export interface SealedLogOptions extends SealedLogContent {
  readonly turnId: string;
  readonly agent: string;
}

/** Marks a line that begins with the name of another speaker, as JSON, and goes on with the text of an event. */
const speakerMark = '>';

/**
 * A text event as a line; `escaped` is JSON-escaped, so it holds no line break. `speaker` is empty for the agent that speaks when nobody
 * else is named.
 */
export function textLine(escaped: string, speaker = ''): string {
  return speaker === '' ? textMark + escaped : `${speakerMark}${JSON.stringify(speaker)} ${escaped}`;
}

/** Any other event as a line. */
export function eventLine({ type, json }: RecordedEvent): string {
  return `${type} ${json}`;
}

/** What a text event's line says; undefined for any other line. `agent` is empty where the line names nobody. */
export function textOfLine(line: string): { readonly escaped: string; readonly agent: string } | undefined {
  if (line.startsWith(textMark)) return { escaped: line.slice(textMark.length), agent: '' };
  const [, agent, escaped = ''] = /^>("(?:[^"\\]|\\.)*") (.*)$/s.exec(line) ?? [];
  return agent === undefined ? undefined : { escaped, agent: String(JSON.parse(agent)) };
}

/** The event of a line that is not text. */
export function eventOfLine(line: string, seq: number): RecordedEvent {
  const space = line.indexOf(' ');
  // The line was written from an event.
  return { seq, type: line.slice(0, space) as TurnEventType, json: line.slice(space + 1) };
}

/**
 * The events of an ended turn, for readers that resume it (contract/sse.md#coming-back). The events are bytes outside the JavaScript
 * heap. Tens of thousands of ended turns may be kept, and as objects they would slow down every other turn with garbage collections.
 */
export class SealedLog {
  readonly #agent: string;
  readonly #turnId: string;
  readonly #firstSeq: number;
  readonly #lastSeq: number;
  readonly #bytes: Buffer;

  constructor({ turnId, agent, firstSeq, lines }: SealedLogOptions) {
    this.#turnId = turnId;
    this.#agent = agent;
    this.#firstSeq = firstSeq;
    this.#lastSeq = firstSeq + lines.length - 1;
    this.#bytes = keptBytes(lines.join('\n'));
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Bytes held. */
  get length(): number {
    return this.#bytes.length;
  }

  /** Whether every event after `afterSeq` can still be read. */
  reaches(afterSeq: number): boolean {
    return afterSeq + 1 >= this.#firstSeq && afterSeq <= this.#lastSeq;
  }

  /** The events after `afterSeq`, or undefined when one of them can no longer be read. */
  after(afterSeq: number): readonly RecordedEvent[] | undefined {
    if (!this.reaches(afterSeq)) return undefined;
    if (afterSeq === this.#lastSeq) return [];
    const texts = new TextEventWriter(this.#turnId);
    const lines = this.#bytes.toString().split('\n');
    return lines
      .map((line, index) => {
        const seq = this.#firstSeq + index;
        const text = textOfLine(line);
        return text === undefined
          ? eventOfLine(line, seq)
          : texts.write(seq, text.escaped, text.agent === '' ? this.#agent : text.agent);
      })
      .filter(({ seq }) => seq > afterSeq);
  }
}
