import { oneLine } from '../base/one-line.ts';
import type { ChatMessage } from '../ports/chat-model.ts';
import type { ArgumentCheck, Tool, ToolContext } from '../tools/tool.ts';
import { findToolsName } from '../tools/tool-name.ts';

/** Most tools that one call returns. */
export const mostFound = 8;
/** Most characters of a description. This is enough to choose a tool. The declaration of a found tool has the whole description. */
const longestDescription = 300;
/** Most characters of a query. */
const longestQuery = 500;
/** Milliseconds: longer than the wait for the vector of a question. */
const timeoutMs = 10_000;

const nothingFound =
  'No tool fits these words. Look once more with other words, in the language of the descriptions of your tools.';

/** Looks for tools among all tools that this user is offered. Returns the best ones first. */
export type ToolSearch = (
  query: string,
  asked: { readonly signal: AbortSignal; readonly tenant: string | undefined },
) => Promise<readonly Tool[]>;

/**
 * The built-in tool by which a model finds tools that it was not sent (contract/tool-filter.md#finding-others). The tool only reads, so its
 * calls need no approval.
 */
export function findTools(search: ToolSearch): Tool {
  return {
    name: findToolsName,
    title: 'Look for a tool',
    description:
      'Finds more tools of this application. You are shown only those that seem to fit the conversation. Before you say that something cannot be done, look for a tool that does it; you can call what is found right after.',
    parameters: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          maxLength: longestQuery,
          description: 'What the tool should do, in the language of the descriptions of your tools',
        },
      },
      required: ['query'],
      additionalProperties: false,
    },
    source: 'built-in',
    readOnly: true,
    requiresConfirmation: undefined,
    editable: false,
    requiredRoles: [],
    timeoutMs,
    owner: 'helper',
    checkArguments: checkQuery,
    execute: async ({ query }, { signal, user }: ToolContext) => {
      const found = await search(String(query), { signal, tenant: user.tenant });
      return { value: found.length === 0 ? nothingFound : listed(found.slice(0, mostFound)) };
    },
  };
}

function checkQuery(value: unknown): ArgumentCheck {
  const query = typeof value === 'object' && value !== null && 'query' in value ? value.query : undefined;
  if (typeof query !== 'string' || query.trim() === '') {
    return { ok: false, faults: ['query must say in words what the tool should do'] };
  }
  return { ok: true, value: { query: query.slice(0, longestQuery) } };
}

function listed(tools: readonly Tool[]): string {
  const lines = tools.map(({ name, description }) => `- ${name}: ${oneLine(description).slice(0, longestDescription)}`);
  return ['You can call these tools now:', ...lines].join('\n');
}

/** The names of the tools that these messages call, or that `find_tools` returned in them. A model may have invented a name. */
export function namesIn(messages: readonly ChatMessage[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const message of messages) {
    if (message.role === 'assistant') for (const { name } of message.toolCalls) names.add(name);
    if (message.role !== 'tool' || message.name !== findToolsName) continue;
    for (const [, name = ''] of message.text.matchAll(/^- ([a-z][a-z0-9_]*): /gm)) names.add(name);
  }
  return names;
}
