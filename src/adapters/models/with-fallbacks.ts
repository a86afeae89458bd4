import {
  type ChatModel,
  ModelError,
  type ModelReply,
  type ModelRequest,
  type ReplySink,
} from '../../core/ports/chat-model.ts';
import { ContextExceeded } from '../../core/ports/context-exceeded.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { givesApproval } from './gives-approval.ts';
import { InterruptedReply } from './interrupted-reply.ts';

/**
 * Tries the models in order until one answers (contract/models.md). A call that failed after its first token stays failed. A refusal of one
 * model is final: another model must not be a way around it. A model whose window is too small for the turn is skipped.
 */
export function withFallbacks(first: ChatModel, others: readonly ChatModel[], log: Logger): ChatModel {
  return {
    model: first.model,
    provider: first.provider,
    isDemo: first.isDemo,
    async close(): Promise<void> {
      await Promise.all([first, ...others].map((model) => model.close()));
    },
    async run(request: ModelRequest, sink: ReplySink): Promise<ModelReply> {
      let [current, fault]: [ChatModel, unknown] = [first, undefined];
      for (const next of others) {
        try {
          return await current.run(request, sink);
        } catch (error) {
          if (!mayFallBack(error) || givesApproval(request)) throw error;
          fault = worse(fault, error);
          const fields = error instanceof ModelError ? error.fields : {};
          log.warn(
            { ...fields, model: current.model, fallback: next.model, reason: error.message },
            'model call falls back',
          );
          current = next;
        }
      }
      return current.run(request, sink).catch((error: unknown) => {
        throw worse(fault, error);
      });
    },
  };
}

function mayFallBack(error: unknown): error is ModelError | ContextExceeded {
  if (error instanceof ContextExceeded) return true;
  return error instanceof ModelError && !(error instanceof InterruptedReply) && error.code !== 'model_refused';
}

/** The more useful of two faults. A fallback that is too small for the turn does not explain why the model before it failed. */
function worse(before: unknown, error: unknown): unknown {
  return error instanceof ContextExceeded && before !== undefined ? before : error;
}
