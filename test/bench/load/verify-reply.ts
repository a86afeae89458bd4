import type { ReplyPlan } from '../reply-plan.ts';
import { textOf, timestampMark, tokenAt } from '../reply-plan.ts';
import type { ReplyFormat } from './load-job.ts';

/** The separator of records of the hub protocol. */
export const recordSeparator = '\u001e';

/**
 * Compares a whole reply with what the model sent. Returns the first difference in words, or undefined.
 * `received` is the body of an event stream, or the records of a hub turn.
 */
export function faultOfReply(received: string, format: ReplyFormat, plan: ReplyPlan): string | undefined {
  switch (format) {
    case 'tokens':
      return faultOfTokens(received, plan);
    case 'helper-sse':
      return faultOfTurn(eventsOfStream(received), plan);
    case 'helper-hub':
      return faultOfTurn(eventsOfHub(received), plan);
  }
}

interface TurnRecord {
  readonly type: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function fieldsOf(json: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(json);
  return isFields(value) ? value : {};
}

/** Frames of contract/sse.md#the-stream. */
function eventsOfStream(body: string): TurnRecord[] {
  return body.split('\n\n').flatMap((frame) => {
    const type = /^event: (.*)$/m.exec(frame)?.[1];
    const data = /^data: (.*)$/m.exec(frame)?.[1];
    return type === undefined || data === undefined ? [] : [{ type, fields: fieldsOf(data) }];
  });
}

const streamNameOfHubEvent: Readonly<Record<string, string>> = {
  TextDelta: 'text',
  TurnCompleted: 'end',
  ErrorOccurred: 'failure',
};

/** Invocations of contract/events.md#slow-readers, under the names of their SSE frames. */
function eventsOfHub(records: string): TurnRecord[] {
  return records.split(recordSeparator).flatMap((record) => {
    if (record === '') return [];
    const { type, target, arguments: values } = fieldsOf(record);
    const name = type === 1 && typeof target === 'string' ? streamNameOfHubEvent[target] : undefined;
    const fields: unknown = Array.isArray(values) ? values[0] : undefined;
    return name !== undefined && isFields(fields) ? [{ type: name, fields }] : [];
  });
}

function faultOfTurn(events: readonly TurnRecord[], plan: ReplyPlan): string | undefined {
  const failure = events.find((event) => event.type === 'failure');
  if (failure !== undefined) return `the turn failed: ${JSON.stringify(failure.fields)}`;
  const text = events
    .filter((event) => event.type === 'text')
    .map((event) => String(event.fields['text']))
    .join('');
  const end = events.at(-1);
  if (end?.type !== 'end' || end.fields['status'] !== 'completed') return `the last event is ${JSON.stringify(end)}`;
  if (end.fields['text'] !== text) return 'the text of the last event is not the sum of the deltas';
  return plan.timestamps
    ? faultOfTimestamps(text, plan)
    : saidIn(text, plan) === textOf(plan)
      ? undefined
      : `wrong text: ${text}`;
}

/** Each agent has a paragraph of its own. */
function saidIn(text: string, { agents }: ReplyPlan): string {
  return agents === undefined ? text : text.replaceAll('\n\n', '');
}

/** What agents say side by side may come in any order. */
function faultOfTokens(received: string, plan: ReplyPlan): string | undefined {
  if (plan.timestamps) return faultOfTimestamps(received, plan);
  let position = 0;
  for (let index = 0; index < plan.chunks; index++) {
    position = received.indexOf(tokenAt(index), plan.agents === 'team' ? 0 : position);
    if (position < 0) return `token ${String(index)} is missing or out of order in ${received.slice(0, 400)}`;
  }
  return undefined;
}

function faultOfTimestamps(text: string, plan: ReplyPlan): string | undefined {
  const stamps = [...text.matchAll(new RegExp(`${timestampMark}(\\d+);`, 'g'))].map((match) => Number(match[1]));
  if (stamps.length < plan.chunks) return `${String(stamps.length)} of ${String(plan.chunks)} timestamps arrived`;
  const ordered = stamps
    .slice(0, plan.chunks)
    .every((stamp, index) => index === 0 || stamp >= (stamps[index - 1] ?? 0));
  return ordered ? undefined : 'timestamps arrived out of order';
}
