import { contentFault } from '../../../core/tools/content-part.ts';
import type { ToolResult } from '../../../core/tools/tool.ts';
import { isBrandedResult } from '../../../plugin-api/results.ts';
import { hasMembers } from '../../shared/members.ts';

/**
 * Turns the value that a plugin has returned into a result (contract/plugins.md#results). Only the results of `card`, `content`,
 * `navigate` and `uiAction` are more than data. Everything is copied as JSON, so that later changes of the plugin's state are not shown,
 * and hooks cannot change that state.
 * @throws Error when a part is not JSON: a cycle, a BigInt, a Map; and when `content` was given something else than its parts.
 */
export function toToolResult(toolName: string, returned: unknown): ToolResult {
  if (!isBrandedResult(returned)) return { value: jsonCopy(toolName, returned) };
  if (returned.kind === 'card') {
    return { ...toToolResult(toolName, returned.value), card: jsonCopy(toolName, returned.card) };
  }
  if (returned.kind === 'content') {
    const parts = jsonCopy(toolName, returned.parts);
    const fault = contentFault(parts);
    if (fault !== undefined) throw new Error(`${toolName} returned a result that cannot be used: ${fault}`);
    return { value: parts, isContent: true };
  }
  if (returned.kind === 'ui-action') {
    const values = jsonCopy(toolName, returned.arguments);
    return { value: null, uiAction: { name: returned.name, arguments: hasMembers(values) ? values : {} } };
  }
  const params = jsonCopy(toolName, returned.params);
  const navigation = { page: returned.page, params: hasMembers(params) ? params : {} };
  return { value: navigation, navigate: navigation };
}

function jsonCopy(toolName: string, value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  try {
    // The type says that this is always a text. But undefined, a function and a symbol have no JSON, so an action that returns nothing has
    // the result null.
    const text = JSON.stringify(value, refuseSilentLoss) as string | undefined;
    return text === undefined ? null : JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    throw new Error(`${toolName} returned a result that is not JSON: ${reason}`, { cause: error });
  }
}

/** Refuses values that JSON silently turns into `{}`. The model would read that there is nothing. */
function refuseSilentLoss(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Map) throw new TypeError('a Map has no JSON; return Object.fromEntries(map) or [...map]');
  if (value instanceof Set) throw new TypeError('a Set has no JSON; return [...set]');
  if (value instanceof Error) throw new TypeError('an Error has no JSON; throw it, or return its message');
  if (value instanceof Promise) throw new TypeError('a Promise has no JSON; await it first');
  return value;
}
