import type { ChatModel } from '../../core/ports/chat-model.ts';

/** A model under the name of another one, which `run` asks. What else that one has, such as `warmUp` and `extrasOf`, is not passed on. */
export function around(model: ChatModel, run: ChatModel['run']): ChatModel {
  const { model: name, provider, isDemo } = model;
  return { model: name, provider, isDemo, close: () => model.close(), run };
}
