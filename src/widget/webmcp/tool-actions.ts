import type { OfferedUiAction } from '../../wire/hub-methods.ts';
import type { RegisteredTool } from './webmcp-contract.ts';

/** What the server takes of a page (docs/guides/ui-actions.md). */
const mostActions = 32;
const longestName = 59;
const longestDescription = 500;
const longestSchema = 4096;

/** A tool of the page, and the action that stands for it. */
export interface ToolAction {
  readonly tool: RegisteredTool;
  readonly offer: OfferedUiAction;
}

/** Turns tools into UI actions under names that the server takes. A tool that does not fit is left out. */
export function actionsOf(tools: readonly RegisteredTool[]): ReadonlyMap<string, ToolAction> {
  const actions = new Map<string, ToolAction>();
  for (const tool of tools) {
    if (actions.size === mostActions) break;
    const { description, annotations = {}, inputSchema = {} } = tool;
    const name = actionName(tool.name);
    const parameters = { type: 'object', ...inputSchema };
    const isTooLong = new TextEncoder().encode(JSON.stringify(parameters)).byteLength > longestSchema;
    // If two tools got the same name, chance would decide which one runs.
    if (name === null || isTooLong || annotations.debugging === true || actions.has(name)) continue;
    const readOnly = annotations.readOnlyHint === true && annotations.consequentialHint !== true;
    const offer = { name, description: description.slice(0, longestDescription), parameters, readOnly };
    actions.set(name, { tool, offer });
  }
  return actions;
}

/** `getOrder.v2` becomes `get_order_v2`. Null when no such name can be made. */
function actionName(name: string): string | null {
  const snake = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '_')
    .replace(/^[^a-z]+|(?<!_)_+$/g, '');
  return snake === '' || snake.length > longestName ? null : snake;
}
