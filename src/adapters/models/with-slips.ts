import { type ChatModel, ModelError } from '../../core/ports/chat-model.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { around } from './around.ts';
import { givesApproval } from './gives-approval.ts';
import { InterruptedReply } from './interrupted-reply.ts';

/** How often a model that has slipped is asked again. */
const mostAgain = 2;

/** The model wrote a call that its provider does not take for one. Asked again, it mostly writes a better one. */
export class ModelSlip extends ModelError {
  /** Whether a part of the reply was passed on. */
  readonly begun: boolean;

  constructor(message: string, { begun, ...options }: Partial<ModelError['facts']> & { readonly begun: boolean }) {
    super('model_unavailable', message, { ...options, transient: false });
    this.begun = begun;
  }
}

/** A fault after the first token. A slip stays one, because the model may still be asked again. */
export function interrupted(fault: ModelError): ModelError {
  const { code, message, facts } = fault;
  if (fault instanceof ModelSlip) return new ModelSlip(message, { begun: true, ...facts });
  return new InterruptedReply(code, message, facts);
}

/**
 * Asks a model again that has slipped (contract/models.md), at most twice. What it has said before is taken back. A model whose text cannot be
 * taken back is not asked again.
 */
export function withSlips(model: ChatModel, log: Pick<Logger, 'debug'>): ChatModel {
  return around(model, async (request, sink) => {
    for (let again = 0; ; again += 1) {
      try {
        return await model.run(request, sink);
      } catch (error) {
        if (!(error instanceof ModelSlip)) throw error;
        const canAskAgain = !error.begun || sink.takeBack !== undefined;
        if (again === mostAgain || !canAskAgain || givesApproval(request)) throw faultOf(error);
        log.debug({ model: model.model, reason: error.message }, 'the model slipped and is asked again');
        if (error.begun) sink.takeBack?.();
      }
    }
  });
}

/** The fault for a slip after which nobody asks again. */
function faultOf({ begun, code, message, facts }: ModelSlip): ModelError {
  if (begun) return new InterruptedReply(code, message, facts);
  return new ModelError(code, message, { transient: false, ...facts });
}
