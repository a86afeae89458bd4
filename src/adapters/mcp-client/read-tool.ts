import type { Tool as ToolDefinition } from '@modelcontextprotocol/client';
import { hashArguments } from '../../core/base/canonical-json.ts';
import { isDeeperThan } from '../../core/base/json-depth.ts';
import { oneLine } from '../../core/base/one-line.ts';
import { hasMembers, type Members } from '../shared/members.ts';
import { titleOf } from '../shared/title-of.ts';
import { readToolSchema, type ToolSchema } from '../shared/tool-schema.ts';
import { offeredSchema } from './input-schema.ts';
import type { McpLimits } from './mcp-limits.ts';

/** Deepest nesting of a schema. */
const mostLevels = 24;

/** A tool of an MCP server, checked. */
export interface McpTool {
  /** As the server names it. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly schema: ToolSchema;
  /** The server says that the tool only reads. Nothing but the question to the user goes by it. */
  readonly readOnly: boolean;
  /** The server says that what the tool does cannot be undone. */
  readonly destructive: boolean;
  /** The same for as long as everything is the same that the server declares of the tool. */
  readonly fingerprint: string;
  /** As the server declares it, for calls. */
  readonly definition: ToolDefinition;
}

export type ReadTool = McpTool | { readonly name: string; readonly fault: string };

/**
 * Reads one tool of a list. A fault has no text of the server but the name of the tool. Everything that a user or a model reads of the tool
 * is bounded.
 */
export async function readTool(declared: unknown, limits: McpLimits): Promise<ReadTool> {
  const name = hasMembers(declared) ? declared['name'] : undefined;
  if (!hasMembers(declared) || typeof name !== 'string' || name === '' || name.length > 128) {
    return { name: '', fault: 'has no name of 1 to 128 characters' };
  }
  if (isDeeperThan(mostLevels, declared['inputSchema'])) return { name, fault: 'has a schema that is nested too deep' };
  const execution = declared['execution'];
  if (hasMembers(execution) && execution['taskSupport'] === 'required')
    return { name, fault: 'runs as a task alone, and calls of this server are no tasks' };
  const offered = offeredSchema(declared['inputSchema']);
  if (JSON.stringify(offered).length > limits.schemaLength) return { name, fault: 'has a schema that is too long' };
  try {
    return toolOf({ declared, name, schema: await readToolSchema(offered) }, limits);
  } catch {
    return { name, fault: 'has a schema that cannot be used' };
  }
}

function toolOf(
  { declared, name, schema }: { readonly declared: Members; readonly name: string; readonly schema: ToolSchema },
  { titleLength, descriptionLength }: McpLimits,
): McpTool {
  const annotations = hasMembers(declared['annotations']) ? declared['annotations'] : {};
  const given = [declared['title'], annotations['title']].find(
    (text) => typeof text === 'string' && text.trim() !== '',
  );
  const shown = typeof given === 'string' ? given : titleOf(name);
  const title = oneLine(shown).slice(0, titleLength);
  const { readOnlyHint, destructiveHint } = annotations;
  const hints = { readOnlyHint: readOnlyHint === true, destructiveHint: destructiveHint === true };
  const destructive = hints.destructiveHint;
  const { description } = declared;
  return {
    name,
    title: title === '' ? titleOf(name) : title,
    description: typeof description === 'string' ? description.slice(0, descriptionLength) : '',
    schema,
    // Of two hints that contradict each other, the careful one counts.
    readOnly: hints.readOnlyHint && !destructive,
    destructive,
    fingerprint: hashArguments({
      name,
      title: given,
      description,
      schema: declared['inputSchema'],
      annotations: hints,
    }),
    definition: { name, inputSchema: { ...schema.schema, type: 'object' } },
  };
}
