import { ModelError } from '../../../core/ports/chat-model.ts';
import { faultPlace } from '../fault-place.ts';
import { countOf, objectOf, textOf } from '../json-values.ts';
import { interrupted } from '../with-slips.ts';
import { RequestTooLong, takenTokens } from '../request-too-long.ts';
import { connectionReason } from '../../shared/connection-reason.ts';
import { isTelling, labelled, retryAfter, statusFault, wordsOf } from '../status-fault.ts';
import { refusedParts, ToolsRefused } from '../tools/tools-refused.ts';

/**
 * Turns an error of a provider's package into a fault of this server. Packages have little in common: `status` for HTTP answers, and a name
 * for timeouts. Every other error is a failed connection. After the first token no other attempt may follow.
 */
export function langChainFault(
  error: unknown,
  context: { readonly begun: boolean; readonly clean: (text: string) => string },
): ModelError {
  const fault = faultOf(error, context.clean);
  return context.begun ? interrupted(fault) : fault;
}

function faultOf(error: unknown, clean: (text: string) => string): ModelError {
  if (error instanceof ModelError) return error;
  const fields = objectOf(error) ?? {};
  const cause = faultPlace(error);
  const detail = clean(error instanceof Error ? error.message : String(error));
  const status = statusOf(fields);
  const [code, type, param] = ['code', 'type', 'param']
    .map((name) => textOf(fields[name]))
    .map((name) => name && clean(name));
  // Amazon's client has its code as the name of the error.
  const named = fields['$metadata'] === undefined ? undefined : textOf(fields['name']);
  const words = wordsOf(detail);
  // Packages that know such a refusal by themselves give it this name.
  if (fields['name'] === 'ContextOverflowError') {
    const facts = { cause, words, status, providerCode: code ?? type, takes: takenTokens(detail) };
    return new RequestTooLong('the request is longer than the model takes', facts);
  }
  const isTold = status !== undefined && status >= 400;
  if (isTold || isTelling(code) || isTelling(type)) {
    const fault = statusFault({
      status: isTold ? status : 500,
      detail,
      reason: code ?? type ?? named,
      type,
      param,
      retryAfterMs: retryAfter(headerReader(fields), Date.now()),
      cause,
    });
    if (fault instanceof RequestTooLong) return fault;
    const parts = refusedParts({ status, param, reason: code, text: detail });
    return parts === undefined ? fault : new ToolsRefused(parts, fault);
  }
  if (fields['name'] === 'TimeoutError') {
    return new ModelError('model_timeout', 'the model was silent', { transient: false, cause, words });
  }
  const reason = connectionReason(error);
  const names = [textOf(fields['name']), textOf(fields['code'])].map((name) => name && clean(name));
  const message = `the connection to the model failed${reason === undefined ? labelled(...names) : `: ${clean(reason)}`}`;
  return new ModelError('model_unavailable', message, { transient: true, cause, words });
}

/** The HTTP status of an error. Amazon's packages keep it beside other facts of the answer. */
function statusOf(error: Readonly<Record<string, unknown>>): number | undefined {
  const inside = objectOf(error['response'])?.['status'] ?? objectOf(error['$metadata'])?.['httpStatusCode'];
  return countOf(error['status']) ?? countOf(error['statusCode']) ?? countOf(inside);
}

function headerReader(error: Readonly<Record<string, unknown>>): (name: string) => string | undefined {
  const headers = error['headers'] ?? objectOf(error['response'])?.['headers'];
  if (headers instanceof Headers) return (name) => headers.get(name) ?? undefined;
  return (name) => textOf(objectOf(headers)?.[name]);
}
