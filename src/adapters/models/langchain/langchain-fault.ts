import { ModelError } from '../../../core/ports/chat-model.ts';
import { faultPlace } from '../fault-place.ts';
import { InterruptedReply } from '../interrupted-reply.ts';
import { countOf, objectOf, textOf } from '../json-values.ts';
import { labelled, retryAfter, statusFault, wordsOf } from '../status-fault.ts';

/**
 * Turns an error of a provider's package into a fault of this server. Packages have little in common: `status` for HTTP answers, and a name
 * for timeouts. Every other error is a failed connection. After the first token no other attempt may follow.
 */
export function langChainFault(
  error: unknown,
  context: { readonly begun: boolean; readonly clean: (text: string) => string },
): ModelError {
  const fault = faultOf(error, context.clean);
  const { cause, words } = fault;
  return context.begun ? new InterruptedReply(fault.code, fault.message, { cause, words }) : fault;
}

function faultOf(error: unknown, clean: (text: string) => string): ModelError {
  if (error instanceof ModelError) return error;
  const fields = objectOf(error) ?? {};
  const cause = faultPlace(error);
  const detail = clean(error instanceof Error ? error.message : String(error));
  const status =
    countOf(fields['status']) ?? countOf(fields['statusCode']) ?? countOf(objectOf(fields['response'])?.['status']);
  if (status !== undefined && status >= 400) {
    const [code, type] = [textOf(fields['code']), textOf(fields['type'])].map((name) => name && clean(name));
    return statusFault({
      status,
      detail,
      reason: code ?? type,
      type,
      retryAfterMs: retryAfter(headerReader(fields), Date.now()),
      cause,
    });
  }
  const words = wordsOf(detail);
  if (fields['name'] === 'TimeoutError') {
    return new ModelError('model_timeout', 'the model was silent', { transient: false, cause, words });
  }
  const names = [textOf(fields['name']), textOf(fields['code']), textOf(objectOf(fields['cause'])?.['code'])];
  const message = `the connection to the model failed${labelled(...names.map((name) => name && clean(name)))}`;
  return new ModelError('model_unavailable', message, { transient: true, cause, words });
}

function headerReader(error: Readonly<Record<string, unknown>>): (name: string) => string | undefined {
  const headers = error['headers'] ?? objectOf(error['response'])?.['headers'];
  if (headers instanceof Headers) return (name) => headers.get(name) ?? undefined;
  return (name) => textOf(objectOf(headers)?.[name]);
}
