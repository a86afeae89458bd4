import { durationOf } from './durations.ts';
import { countOf, listOf, objectOf, parsedJson, textOf } from './json-values.ts';
import type { RefusedCall } from './status-fault.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What the body of a refused call says. */
export interface RefusedBody extends Pick<RefusedCall, 'detail' | 'reason' | 'type' | 'retryAfterMs' | 'takes'> {
  /** The part of the request that the provider refuses, as far as it names one. */
  readonly param: string | undefined;
}

/** Reads the body of a refused call. Some providers send a list, with the error in its first place. */
export function refusedBody(body: string, clean: (text: string) => string): RefusedBody {
  const parsed = parsedJson(body);
  const document = objectOf(Array.isArray(parsed) ? parsed[0] : parsed);
  const error = objectOf(document?.['error']) ?? document ?? {};
  const detail = textOf(error['message']) ?? textOf(document?.['error']) ?? body;
  const [type, code, status, param] = ['type', 'code', 'status', 'param'].map((name) => {
    const text = textOf(error[name]);
    return text === undefined ? undefined : clean(text);
  });
  return {
    detail: clean(detail),
    reason: code ?? type ?? status,
    type,
    param,
    retryAfterMs: retryDelayIn(error),
    // llama.cpp
    takes: countOf(error['n_ctx']),
  };
}

/** The wait that Google's `RetryInfo` asks for, in milliseconds. */
export function retryDelayIn(error: Fields): number | undefined {
  const delays = listOf(error['details']).map((one) => delayOf(objectOf(one)?.['retryDelay']));
  return delays.find((delay) => delay !== undefined);
}

/** A wait as `7s`, or as seconds and nanoseconds. */
function delayOf(delay: unknown): number | undefined {
  if (typeof delay === 'string') return durationOf(delay);
  const fields = objectOf(delay);
  const seconds = Number(fields?.['seconds'] ?? 0);
  const nanos = countOf(fields?.['nanos']) ?? 0;
  return fields !== undefined && seconds >= 0 ? seconds * 1000 + nanos / 1e6 : undefined;
}
