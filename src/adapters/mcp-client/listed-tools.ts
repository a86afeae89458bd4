import type { Client, StandardSchemaV1 } from '@modelcontextprotocol/client';
import { hasMembers } from '../shared/members.ts';
import { rawKeys } from './guarded-transport.ts';
import { McpFault } from './mcp-fault.ts';
import type { McpLimits } from './mcp-limits.ts';

/** Most pages of one list. */
const mostPages = 20;

/** One page of a list. Its tools are looked at one by one later, so that a faulty one does not take the others along. */
interface Page {
  readonly tools: readonly unknown[];
  readonly nextCursor?: string | undefined;
}

const pageSchema: StandardSchemaV1<unknown, Page> = {
  '~standard': {
    version: 1,
    vendor: 'helper',
    validate: (value) => {
      const meta = hasMembers(value) ? value['_meta'] : undefined;
      const tools = hasMembers(meta) ? meta[rawKeys.tools] : undefined;
      if (!hasMembers(value) || !Array.isArray(tools)) return { issues: [{ message: 'no list of tools' }] };
      const { nextCursor } = value;
      return { value: { tools, ...(typeof nextCursor === 'string' ? { nextCursor } : {}) } };
    },
  },
};

/** All tools that a server declares, up to one more than are taken. @throws what the SDK throws. @throws McpFault. */
export async function listedTools(
  client: Client,
  signal: AbortSignal,
  { listMs, tools: mostTools }: Pick<McpLimits, 'listMs' | 'tools'>,
): Promise<readonly unknown[]> {
  const tools: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages && tools.length <= mostTools; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await client.request({ method: 'tools/list', params }, pageSchema, { signal, timeout: listMs });
    tools.push(...answer.tools);
    if (answer.nextCursor === undefined) return tools;
    if (answer.nextCursor === cursor) throw new McpFault('broken', 'has a list of tools without an end');
    cursor = answer.nextCursor;
  }
  return tools;
}
