import { describe, expect, it } from 'vitest';
import { McpFault, type McpFaultKind } from '../../../../src/adapters/mcp-client/mcp-fault.ts';
import type { McpServer } from '../../../../src/adapters/mcp-client/mcp-server.ts';
import { type McpServerCall, McpToolChanged } from '../../../../src/adapters/mcp-client/mcp-server-call.ts';
import { mcpTool } from '../../../../src/adapters/mcp-client/mcp-tool.ts';
import type { McpToolSettings } from '../../../../src/adapters/mcp-client/mcp-settings.ts';
import type { McpTool } from '../../../../src/adapters/mcp-client/read-tool.ts';
import type { Tool, ToolContext } from '../../../../src/core/tools/tool.ts';
import { ToolChanged, ToolInterrupted, ToolUnavailable } from '../../../../src/core/tools/tool-faults.ts';

const definition = {
  ...{ name: 'pay', title: 'Pay', description: 'Pays.', readOnly: false, destructive: false, fingerprint: 'f' },
  schema: { schema: { type: 'object' }, check: () => ({ ok: true, value: {} }) },
} as unknown as McpTool; // the other members are for the server

/** A tool of a server that does this with calls. */
function toolOn(call: (made: McpServerCall) => Promise<unknown>, more: Partial<McpTool> = {}, said: object = {}): Tool {
  const settings = { timeout: 1_000, requiresConfirmation: false, requiredRoles: [], tenants: [], ...said };
  const server = { name: 'erp', settings, call } as unknown as McpServer; // only these members are used
  return mcpTool({ ...definition, ...more }, 'pay', server);
}

const contextWith = (progress: (text: string) => void = () => undefined): ToolContext =>
  ({ signal: new AbortController().signal, progress }) as unknown as ToolContext; // only these members are used

describe('a tool of an MCP server (contract/mcp-servers.md#calls)', () => {
  it.each([
    ['declares nothing', {}, { readOnly: undefined, requiresConfirmation: undefined }],
    ['says that it only reads', { readOnly: true }, { readOnly: true, requiresConfirmation: undefined }],
    ['says that it cannot be undone', { destructive: true }, { requiresConfirmation: true, destructive: true }],
  ])('that %s', (_what, hints, expected) => {
    const tool = toolOn(() => Promise.resolve({}), hints);
    expect(tool).toMatchObject({
      source: 'mcp',
      title: 'Pay (erp)',
      editable: false,
      fingerprint: 'erp f',
      ...expected,
    });
    expect(tool.repeatable).toBeUndefined();
    expect(tool.trusted).toBeUndefined();
  });

  // proves service-2.16-57
  it.each<[string, Partial<McpTool>, McpToolSettings, object]>([
    ['only reads', {}, { readOnly: true }, { readOnly: true, vouchedReadOnly: true }],
    ['does not only read', { readOnly: true }, { readOnly: false }, { readOnly: undefined }],
    ['asks', { readOnly: true }, { requiresConfirmation: true }, { requiresConfirmation: true }],
    ['does not ask', { destructive: true }, { requiresConfirmation: false }, { requiresConfirmation: false }],
    ['returns what is vouched for', {}, { trusted: true }, { trusted: true }],
  ])('of which the configuration says that it %s', (_what, hints, said, expected) => {
    const settings = { requiresConfirmation: said.readOnly === undefined, tools: { pay: said } };
    const tool = toolOn(() => Promise.resolve({}), hints, settings);
    expect(tool).toMatchObject(expected);
    if (said.requiresConfirmation === false) expect(tool.destructive).toBeUndefined();
  });

  // proves service-2.16-54
  it.each<[McpFaultKind, new (...given: never[]) => Error]>([
    ['not-sent', ToolUnavailable],
    ['broken', ToolInterrupted],
    ['refused', Error],
  ])('whose call was %s throws what says so', async (kind, fault) => {
    const tool = toolOn(() => Promise.reject(new McpFault(kind, 'is away')));
    const thrown = await tool.execute({}, contextWith()).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(fault);
    expect(String(thrown)).toContain('the MCP server erp is away');
  });

  it('that has changed says so', async () => {
    const tool = toolOn(() => Promise.reject(new McpToolChanged('pay has changed')));
    await expect(tool.execute({}, contextWith())).rejects.toBeInstanceOf(ToolChanged);
  });

  // proves service-2.16-92
  it('shows 20 lines of progress at most', async () => {
    const lines: string[] = [];
    const tool = toolOn(({ progress }) => {
      for (let line = 0; line < 50; line += 1) progress(String(line));
      return Promise.resolve({ result: { content: [] }, asked: [] });
    });
    await tool.execute(
      {},
      contextWith((text) => {
        lines.push(text);
      }),
    );
    expect(lines).toHaveLength(20);
  });
});
