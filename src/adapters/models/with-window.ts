import { type ContextWindow, fitWindow } from '../../core/history/fit-window.ts';
import type { TokenEstimates } from '../../core/history/token-estimates.ts';
import type { ChatModel, ModelReply, ModelRequest, ReplySink } from '../../core/ports/chat-model.ts';
import type { Logger } from '../../core/ports/logger.ts';

/**
 * Sends a model only as much as its context window holds (contract/models.md#the-context-window), and learns from the usage that the model
 * reports. Each entry has its own window, so a fallback with a smaller window is sent less.
 */
export function withWindow(
  model: ChatModel,
  window: ContextWindow,
  { estimates, log }: { readonly estimates: TokenEstimates; readonly log: Logger },
): ChatModel {
  const { model: name } = model;
  return {
    model: name,
    provider: model.provider,
    isDemo: model.isDemo,
    close: () => model.close(),
    async run(request: ModelRequest, sink: ReplySink): Promise<ModelReply> {
      const { messages, estimated } = fitWindow(request, window, { estimates, model: name });
      const isShorter = messages !== request.messages;
      if (isShorter) log.info({ model: name, messages: messages.length }, 'older messages were left out or shortened');
      const reply = await model.run(isShorter ? { ...request, messages } : request, sink);
      // The cost of an image is known too roughly to learn from it. The amount that the provider's own tools have read is not known at all.
      const hasImages = messages.some((message) => message.role === 'user' && message.images !== undefined);
      const isEstimable = !hasImages && reply.hosted === undefined;
      if (estimated !== undefined && isEstimable) estimates.learn(name, estimated, reply.usage.inputTokens);
      return reply;
    },
  };
}
