import { type ChatModel, ModelError } from '../../../core/ports/chat-model.ts';

/**
 * Stands where no model is set for small questions, because an agent answers and `classifierChatClient` is left out. What needs such a model
 * is off then, so nobody asks it.
 */
export const noChatModel: ChatModel = {
  model: 'none',
  provider: 'none',
  isDemo: false,
  run: () =>
    Promise.reject(
      new ModelError('model_unavailable', 'classifierChatClient is not set, and an agent answers', {
        transient: false,
      }),
    ),
  close: () => Promise.resolve(),
};
