import type { ModelToolCall } from '../../../core/ports/chat-model.ts';
import type { PipelineToolCall } from '../../../plugin-api/pipeline.ts';
import { hasMembers, type Members } from '../../shared/members.ts';

/** What a plugin is not shown of a call stays with the call, as long as the plugin leaves it as it is. */
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
  if (!Array.isArray(given)) throw new TypeError('toolCalls must be a list');
  return given.map((call: unknown) => {
    const { id, name, arguments: written } = hasMembers(call) ? call : ({} as Members); // no members, no call
    if (typeof id !== 'string' || typeof name !== 'string' || typeof written !== 'string') {
      throw new TypeError('a call must have the texts id, name and arguments');
    }
    return originalOf.get(call as object) ?? { id, name, arguments: written }; // it has members
  });
}
