import type { ChatModel } from '../../core/ports/chat-model.ts';
import { around } from './around.ts';
import { Slots } from './slots.ts';

/** Lets at most `limit` calls run at a time. The others wait in order, and leave the queue when they are stopped (contract/models.md). */
export function withConcurrency(model: ChatModel, limit: number): ChatModel {
  const slots = new Slots(limit);
  return around(model, async (request, sink) => {
    await slots.take(request.signal);
    try {
      return await model.run(request, sink);
    } finally {
      slots.release();
    }
  });
}
