import { ToolChanged, ToolInterrupted, ToolUnavailable } from '../../core/tools/tool-faults.ts';
import type { Tool } from '../../core/tools/tool.ts';
import { McpFault } from './mcp-fault.ts';
import { mcpLimits } from './mcp-limits.ts';
import type { McpServer } from './mcp-server.ts';
import { McpToolChanged } from './mcp-server-call.ts';
import type { McpServerSettings } from './mcp-settings.ts';
import { readMcpResult } from './read-mcp-result.ts';
import type { McpTool } from './read-tool.ts';

/** A tool that is given a moment longer than its call, so that the time of the call is over first. */
const laterMs = 1_000;

/** Makes a tool of an MCP server a tool of this one, under `name` (contract/mcp-servers.md#calls). */
export function mcpTool(tool: McpTool, name: string, server: McpServer): Tool {
  const { timeout, requiredRoles, tenants } = server.settings;
  const policy = policyOf(tool, server.settings);
  return {
    name,
    title: `${tool.title} (${server.name})`,
    description: tool.description,
    parameters: tool.schema.schema,
    source: 'mcp',
    ...policy,
    editable: false,
    requiredRoles,
    tenants,
    timeoutMs: timeout,
    owner: `mcp:${server.name}`,
    fingerprint: `${server.name} ${tool.fingerprint}`,
    checkArguments: tool.schema.check,
    async execute(argumentsValue, context) {
      const { signal, span, traceparent } = context;
      let lines = 0;
      const answer = await server
        .call({
          tool,
          caller: context,
          isApproved: context.isApproved === true,
          arguments: argumentsValue,
          traceparent: span ?? traceparent,
          timeoutMs: timeout + laterMs,
          signal,
          progress: (text) => {
            lines += 1;
            if (lines <= mcpLimits.progressLines) context.progress(text);
          },
        })
        .catch((error: unknown) => {
          throw toolFaultOf(error, server);
        });
      return { value: readMcpResult(answer) };
    },
  };
}

/**
 * What holds for a tool. The word of the configuration counts before that of the server, which spares the question of an undeclared write and
 * nothing else.
 */
function policyOf(
  { name, readOnly, destructive }: McpTool,
  { requiresConfirmation, askedTools = [], tools = {} }: McpServerSettings,
): Pick<Tool, 'readOnly' | 'requiresConfirmation' | 'destructive' | 'trusted' | 'vouchedReadOnly'> {
  const said = (Object.hasOwn(tools, name) ? tools[name] : undefined) ?? {};
  const isDestructive = destructive && said.readOnly !== true && said.requiresConfirmation !== false;
  const asks = said.readOnly === true ? askedTools.includes(name) : requiresConfirmation || askedTools.includes(name);
  return {
    readOnly: (said.readOnly ?? readOnly) && !isDestructive ? true : undefined,
    requiresConfirmation: said.requiresConfirmation ?? (asks || isDestructive ? true : undefined),
    ...(isDestructive ? { destructive: true } : {}),
    ...(said.readOnly === true ? { vouchedReadOnly: true } : {}),
    ...(said.trusted === true ? { trusted: true } : {}),
  };
}

function toolFaultOf(error: unknown, { name }: McpServer): unknown {
  if (error instanceof McpToolChanged) return new ToolChanged(error.message);
  if (!(error instanceof McpFault)) return error;
  const message = `the MCP server ${name} ${error.message}`;
  switch (error.kind) {
    case 'not-sent':
      return new ToolUnavailable(message, { cause: error });
    case 'broken':
      return new ToolInterrupted(message, { cause: error });
    case 'refused':
      return new Error(message, { cause: error });
  }
}
