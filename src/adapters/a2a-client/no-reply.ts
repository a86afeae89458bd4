import { A2AError } from '@a2a-js/sdk/errors';

/**
 * Why there is no reply. `outage`: the agent cannot be used now. `broken`: an outage in the middle of an answer; its task may still run.
 * `answer`: the agent works, and this message has no reply.
 */
export type NoReplyKind = 'outage' | 'broken' | 'answer';

/** No reply of a remote agent. The message follows the name of the agent in a sentence. It holds no address and no text of the agent. */
export class NoReply extends Error {
  override readonly name = 'NoReply';
  readonly kind: NoReplyKind;

  constructor(kind: NoReplyKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** The fault behind an error of the SDK, which wraps errors and puts text of the remote agent into their messages. */
export function noReplyOf(error: unknown): NoReply {
  for (const cause of causesOf(error)) {
    if (cause instanceof NoReply) return cause;
    if (cause instanceof A2AError) return new NoReply('answer', `refused the message${codeOf(cause)}`, { cause });
  }
  return new NoReply('outage', 'gave an answer that cannot be read', { cause: error });
}

/** Chains of causes are short. The bound keeps a circle of causes from running for ever. */
const mostCauses = 5;

function* causesOf(error: unknown): Generator {
  let cause = error;
  for (let depth = 0; depth < mostCauses && cause instanceof Error; depth += 1) {
    yield cause;
    cause = cause.cause;
  }
}

function codeOf(error: A2AError): string {
  const code: unknown = 'envelopeCode' in error ? error.envelopeCode : undefined;
  return typeof code === 'number' ? ` with the error ${String(code)}` : '';
}
