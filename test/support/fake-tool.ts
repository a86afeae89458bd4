import type { Tool, ToolContext, ToolResult } from '../../src/core/tools/tool.ts';

/** A declared action that takes any object and counts its runs. */
export function fakeTool(
  overrides: Partial<Omit<Tool, 'execute'>> & {
    readonly execute?: (
      argumentsValue: Readonly<Record<string, unknown>>,
      context: ToolContext,
    ) => Promise<ToolResult> | ToolResult;
  } = {},
): Tool & { readonly runs: Readonly<Record<string, unknown>>[] } {
  const runs: Readonly<Record<string, unknown>>[] = [];
  const { execute, ...rest } = overrides;
  return {
    name: 'close_case',
    title: 'Close a case',
    description: 'Closes a case for good.',
    parameters: {
      type: 'object',
      properties: { caseId: { type: 'integer', title: 'Case number' } },
      additionalProperties: true,
    },
    source: 'action',
    readOnly: undefined,
    requiresConfirmation: undefined,
    editable: false,
    requiredRoles: [],
    timeoutMs: 5000,
    owner: 'test',
    runs,
    checkArguments: (value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? { ok: true, value: Object.fromEntries(Object.entries(value)) }
        : { ok: false, faults: ['the arguments must be an object'] },
    execute: async (argumentsValue, context) => {
      runs.push(argumentsValue);
      return execute === undefined ? { value: { done: true } } : execute(argumentsValue, context);
    },
    ...rest,
  };
}
