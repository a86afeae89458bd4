import type { OfferedUiAction } from '../../wire/hub-methods.ts';
import type { RegisteredTool } from './webmcp-contract.ts';

/** What the server takes (docs/guides/ui-actions.md). */
const mostActions = 32;
const longestName = 59;
const longestDescription = 500;
const longestSchema = 4096;

/** A tool of the page, and how the assistant knows it. */
export interface ToolAction {
  readonly tool: RegisteredTool;
  readonly offer: OfferedUiAction;
}

/** Tools as UI actions, by the names that the server takes; what does not fit is left out. */
export function actionsOf(tools: readonly RegisteredTool[]): ReadonlyMap<string, ToolAction> {
  const actions = new Map<string, ToolAction>();
  for (const tool of tools) {
    if (actions.size === mostActions) break;
    const { description, annotations = {}, inputSchema = {} } = tool;
    const name = actionName(tool.name);
    const parameters = { type: 'object', ...inputSchema };
    const isTooLong = new TextEncoder().encode(JSON.stringify(parameters)).byteLength > longestSchema;
    // Of two tools with the same name here, it would be a matter of chance which one runs.
    if (name === null || isTooLong || annotations.debugging === true || actions.has(name)) continue;
    const readOnly = annotations.readOnlyHint === true && annotations.consequentialHint !== true;
    const offer = { name, description: description.slice(0, longestDescription), parameters, readOnly };
    actions.set(name, { tool, offer });
  }
  return actions;
}

/** `getOrder.v2` is `get_order_v2`; null for what has no such name. */
function actionName(name: string): string | null {
  const snake = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '');
  return snake === '' || snake.length > longestName ? null : snake;
}
