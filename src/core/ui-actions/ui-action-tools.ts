import { uiActionPrefix } from '../tools/tool-name.ts';
import type { Tool } from '../tools/tool.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { pageSchemaFaults } from './page-schema.ts';
import { type PageReader, runUiAction } from './run-ui-action.ts';
import type { UiAction } from '../request/ui-actions.ts';

/**
 * Longer than the time a page has for its answer (`UiActions`), so that the wait for the page ends first and says why
 * there is no answer.
 */
const timeoutMs = 60_000;

/** The tools of a turn: those of the server, and what the page of its connection offers (contract/ui-actions.md). */
export function withUiActions(toolbox: Toolbox, actions: readonly UiAction[], reader: PageReader): Toolbox {
  if (actions.length === 0) return toolbox;
  // A tool of the server never has such a name (contract/plugins.md#actions). If one had it, the tool of the server would win.
  const tools = actions.map((action) => uiActionTool(action, reader)).filter(({ name }) => !toolbox.find(name));
  return new Toolbox([...toolbox.tools, ...tools], toolbox.pages);
}

function uiActionTool(action: UiAction, reader: PageReader): Tool {
  const { name, description, parameters, readOnly, destructive = false } = action;
  return {
    name: `${uiActionPrefix}${name}`,
    title: name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' '),
    description,
    parameters,
    source: 'page',
    // An action that is not declared read-only needs an approval like any write, whatever else the page declares.
    readOnly: readOnly ? true : undefined,
    requiresConfirmation: destructive ? true : undefined,
    destructive,
    editable: false,
    requiredRoles: [],
    timeoutMs,
    owner: 'page',
    checkArguments: (value) => {
      const faults = pageSchemaFaults(parameters, value);
      if (faults.length > 0) return { ok: false, faults };
      return { ok: true, value: value as Readonly<Record<string, unknown>> }; // its schema says that it is an object
    },
    execute: async (argumentsValue, { turnId, callId, signal }) => {
      if (turnId === null) throw new Error('a page is only asked in a turn');
      const request = { turnId, callId, name, arguments: argumentsValue, declared: action };
      return { value: await runUiAction(reader, request, signal) };
    },
  };
}
