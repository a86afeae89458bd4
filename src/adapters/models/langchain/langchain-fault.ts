import { ModelError } from '../../../core/ports/chat-model.ts';
import { InterruptedReply } from '../interrupted-reply.ts';
import { countOf, objectOf, textOf } from '../json-values.ts';
import { retryAfter, statusFault } from '../status-fault.ts';

/**
 * What an error of any provider's package means to us. They agree on little: `status` for HTTP answers, a name for
 * timeouts, else the connection failed. After the first token nothing may be tried again.
 */
export function langChainFault(
  error: unknown,
  context: { readonly begun: boolean; readonly clean: (text: string) => string },
): ModelError {
  const fault = faultOf(error, context.clean);
  return context.begun ? new InterruptedReply(fault.code, fault.message, { cause: fault.cause }) : fault;
}

function faultOf(error: unknown, clean: (text: string) => string): ModelError {
  if (error instanceof ModelError) return error;
  const fields = objectOf(error) ?? {};
  const cause = cleanedCopy(error, clean);
  const detail = clean(error instanceof Error ? error.message : String(error));
  const status =
    countOf(fields['status']) ?? countOf(fields['statusCode']) ?? countOf(objectOf(fields['response'])?.['status']);
  if (status !== undefined && status >= 400) {
    const reason = textOf(fields['code']) ?? textOf(fields['type']);
    return statusFault({
      status,
      detail,
      reason,
      retryAfterMs: retryAfter(headerReader(fields), Date.now()),
      cause,
    });
  }
  if (fields['name'] === 'TimeoutError') {
    return new ModelError('model_timeout', `the model was silent: ${detail}`, { transient: false, cause });
  }
  const message = `the connection to the model failed: ${detail.slice(0, 500)}`;
  return new ModelError('model_unavailable', message, { transient: true, cause });
}

/** Where it happened, for the log. The error itself may hold the key in its words, its fields and its own cause. */
function cleanedCopy(error: unknown, clean: (text: string) => string): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  const copy = new Error(clean(error.message));
  copy.name = error.name;
  copy.stack = clean(error.stack ?? '');
  return copy;
}

function headerReader(error: Readonly<Record<string, unknown>>): (name: string) => string | undefined {
  const headers = error['headers'] ?? objectOf(error['response'])?.['headers'];
  if (headers instanceof Headers) return (name) => headers.get(name) ?? undefined;
  return (name) => textOf(objectOf(headers)?.[name]);
}
