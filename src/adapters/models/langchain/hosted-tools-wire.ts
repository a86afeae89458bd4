import type { HostedOffer, HostedServer, HostedToolName } from '../../../core/ports/hosted-tools.ts';
import { needsApproval } from '../../../core/tools/hosted-approval.ts';
import { listOf, objectOf } from '../json-values.ts';

const types: Readonly<Record<HostedToolName, string>> = {
  WebSearch: 'web_search',
  FileSearch: 'file_search',
  CodeInterpreter: 'code_interpreter',
};

/** The provider's tools in the form of the Responses API. */
export function hostedToolsWire({ tools, allowedDomains, servers }: HostedOffer): readonly object[] {
  const own = tools.map(({ name, options }) => ({
    ...(name === 'CodeInterpreter' ? { container: { type: 'auto' } } : {}),
    ...wireOptions(options),
    ...(name === 'WebSearch' && allowedDomains.length > 0 ? filters(options, allowedDomains) : {}),
    type: types[name],
  }));
  return [...own, ...servers.map(serverWire)];
}

/** The allowed domains replace those in the options. Other filters of the options stay. */
function filters(options: Readonly<Record<string, unknown>>, allowedDomains: readonly string[]): object {
  return { filters: { ...objectOf(wireOptions(options)['filters']), allowed_domains: allowedDomains } };
}

/** Writes names as the wire does, at every level: `vectorStoreIds` and `userLocation` become `vector_store_ids` and `user_location`. */
function wireOptions(options: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [wireName(name), wireValue(value)]));
}

function wireValue(value: unknown): unknown {
  if (Array.isArray(value)) return listOf(value).map(wireValue);
  const fields = objectOf(value);
  return fields === undefined ? value : wireOptions(fields);
}

function wireName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function serverWire(server: HostedServer): object {
  const { name, url, description, allowedTools, headers } = server;
  return {
    type: 'mcp',
    server_label: name,
    server_url: url,
    ...(description === undefined ? {} : { server_description: description }),
    ...(allowedTools === undefined ? {} : { allowed_tools: allowedTools }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    require_approval: approvalWire(server),
  };
}

/**
 * The tools for which the provider must ask for approval. A provider may ask for more, because the API does not define the treatment of
 * tools that no list names. This server answers by its own settings.
 */
function approvalWire(server: HostedServer): unknown {
  const { requireApproval, alwaysRequireApprovalTools: always, allowedTools } = server;
  const never = [...new Set([...server.neverRequireApprovalTools, ...(allowedTools ?? [])])].filter(
    (tool) => !needsApproval(server, tool),
  );
  if (requireApproval) return never.length === 0 ? 'always' : { never: { tool_names: never } };
  if (always.length === 0) return 'never';
  return { always: { tool_names: always }, ...(never.length === 0 ? {} : { never: { tool_names: never } }) };
}
