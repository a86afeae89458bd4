import type { ModelToolCall } from '../../../core/ports/chat-model.ts';
import type { PipelineToolCall } from '../../../plugin-api/pipeline.ts';
import { hasMembers, type Members } from '../../shared/members.ts';
import { WrongShape } from '../wrong-shape.ts';

/**
 * The original of each call that a plugin was shown. A call that the plugin leaves unchanged keeps the fields that the plugin was not
 * shown.
 */
const originalOf = new WeakMap<object, ModelToolCall>();

/** Calls as plugins see them. */
export function shownCalls(calls: readonly ModelToolCall[]): readonly PipelineToolCall[] {
  return Object.freeze(
    calls.map((call) => {
      const { id, name, arguments: written } = call;
      const shown = Object.freeze({ id, name, arguments: written });
      originalOf.set(shown, call);
      return shown;
    }),
  );
}

/** The calls of a reply or of a message that a plugin gives. @throws TypeError */
export function callsOf(given: unknown): readonly ModelToolCall[] {
  if (!Array.isArray(given)) throw new WrongShape('toolCalls must be a list');
  return given.map((call: unknown) => {
    const { id, name, arguments: written } = hasMembers(call) ? call : ({} as Members); // a value without members has none of the three
    if (typeof id !== 'string' || typeof name !== 'string' || typeof written !== 'string') {
      throw new WrongShape('a call must have the texts id, name and arguments');
    }
    return originalOf.get(call as object) ?? { id, name, arguments: written }; // a value with these texts has members
  });
}
