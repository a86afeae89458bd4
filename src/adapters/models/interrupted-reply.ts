import { ModelError, type ModelErrorCode, type ModelFaultFields } from '../../core/ports/chat-model.ts';

/**
 * The model failed after its first token. Neither a retry nor a fallback may follow (contract/models.md): the user has seen a part of this
 * reply, and another reply would begin in the middle of it.
 */
export class InterruptedReply extends ModelError {
  constructor(
    code: ModelErrorCode,
    message: string,
    options?: ErrorOptions & ModelFaultFields & { readonly words?: string | undefined },
  ) {
    super(code, message, { ...options, transient: false });
  }
}
