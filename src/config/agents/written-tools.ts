import type { WrittenAgent, WrittenMcpServer } from '../../core/agents/written-agent.ts';
import type { StartupFault } from '../../core/errors/startup-fault.ts';
import { formatPath, type LocatedValue, placeOf } from '../located-value.ts';

/** One entry of `tools`. It fits the schema. */
export interface WrittenTool {
  readonly kind: 'function' | 'mcp' | 'webSearch' | 'fileSearch' | 'codeInterpreter';
  readonly name?: string;
  readonly vectorStoreIds?: readonly string[];
  readonly maximumResultCount?: number;
  readonly maxResults?: number;
  readonly ranker?: string;
  readonly scoreThreshold?: number;
  readonly filters?: Readonly<Record<string, unknown>>;
  readonly fileIds?: readonly string[];
  readonly serverName?: string;
  readonly url?: string;
  readonly allowedTools?: readonly string[];
  readonly approvalMode?: {
    readonly kind: 'always' | 'never' | 'specify';
    readonly alwaysRequireApprovalTools?: readonly string[];
  };
  readonly headers?: Readonly<Record<string, string>>;
}

type Hosted = NonNullable<WrittenAgent['hosted']>[number];

/** Members that only one kind of tool has. */
const membersOfKind: Readonly<Record<WrittenTool['kind'], readonly string[]>> = {
  function: [],
  mcp: ['serverName', 'url', 'allowedTools', 'approvalMode', 'headers'],
  webSearch: [],
  fileSearch: ['vectorStoreIds', 'maximumResultCount', 'maxResults', 'ranker', 'scoreThreshold', 'filters'],
  codeInterpreter: ['fileIds'],
};

/** A function needs a name, a kind has only its own members, and each tool of the provider and MCP server stands there once. */
export function toolFaults(tools: readonly WrittenTool[], root: LocatedValue): readonly StartupFault[] {
  return tools.flatMap((tool, index): readonly StartupFault[] => {
    const at = (key: string, message: string): StartupFault => {
      const path = ['tools', index, key];
      return { ...placeOf(root, path), path: formatPath(path), message };
    };
    const { kind } = tool;
    const strangers = Object.keys(tool).filter(
      (key) => key !== 'kind' && key !== 'name' && !membersOfKind[kind].includes(key),
    );
    return [
      ...(kind === 'function' && tool.name === undefined ? [at('name', 'missing; a function needs it')] : []),
      ...strangers.map((key) => at(key, `is no member of a tool with kind: ${kind}`)),
      ...(kind === 'mcp' ? serverFaults(tool, tools.slice(0, index), at) : []),
      ...(kind !== 'function' && kind !== 'mcp' && tools.findIndex((one) => one.kind === kind) < index
        ? [at('kind', `${kind} stands there already`)]
        : []),
    ];
  });
}

function serverFaults(
  tool: WrittenTool,
  earlier: readonly WrittenTool[],
  at: (key: string, message: string) => StartupFault,
): readonly StartupFault[] {
  const name = nameOf(tool);
  const isTaken = earlier.some((one) => one.kind === 'mcp' && nameOf(one)?.toLowerCase() === name?.toLowerCase());
  return [
    ...(name === undefined ? [at('name', 'missing; an MCP server needs it')] : []),
    ...(name !== undefined && isTaken ? [at('name', `an MCP server ${name} stands there already`)] : []),
    ...(tool.url === undefined ? [at('url', 'missing; an MCP server needs it')] : []),
  ];
}

function nameOf({ name, serverName }: WrittenTool): string | undefined {
  return name ?? serverName;
}

/** The MCP servers among these. */
export function serversIn(tools: readonly WrittenTool[]): readonly WrittenMcpServer[] {
  return tools.flatMap((tool): readonly WrittenMcpServer[] => {
    const { kind, url, allowedTools, approvalMode, headers = {} } = tool;
    const name = nameOf(tool);
    if (kind !== 'mcp' || name === undefined || url === undefined) return [];
    return [
      {
        ...{ name, url, headers },
        ...(allowedTools === undefined ? {} : { allowedTools }),
        asksAlways: approvalMode?.kind === 'always',
        askedTools: approvalMode?.alwaysRequireApprovalTools ?? [],
      },
    ];
  });
}

/** The tools of the provider among these, with what their definition says of them under the names of `hostedToolOptions`. */
export function hostedIn(tools: readonly WrittenTool[]): readonly Hosted[] {
  return tools.flatMap((tool): readonly Hosted[] => {
    switch (tool.kind) {
      case 'function':
      case 'mcp':
        return [];
      case 'webSearch':
        return [{ name: 'WebSearch', options: {} }];
      case 'codeInterpreter':
        return [{ name: 'CodeInterpreter', options: containerOf(tool) }];
      case 'fileSearch':
        return [{ name: 'FileSearch', options: searchOf(tool) }];
    }
  });
}

function containerOf({ fileIds }: WrittenTool): Hosted['options'] {
  return fileIds === undefined ? {} : { container: { type: 'auto', fileIds } };
}

function searchOf(tool: WrittenTool): Hosted['options'] {
  const { vectorStoreIds, maximumResultCount, maxResults = maximumResultCount, ranker, scoreThreshold, filters } = tool;
  const rankingOptions = {
    ...(ranker === undefined ? {} : { ranker }),
    ...(scoreThreshold === undefined ? {} : { scoreThreshold }),
  };
  return {
    ...(vectorStoreIds === undefined ? {} : { vectorStoreIds }),
    ...(maxResults === undefined ? {} : { maxNumResults: maxResults }),
    ...(Object.keys(rankingOptions).length === 0 ? {} : { rankingOptions }),
    ...(filters === undefined ? {} : { filters }),
  };
}
