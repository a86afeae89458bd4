import { oneLine } from '../../core/base/one-line.ts';
import { textOfPart } from '../../core/tools/content-part.ts';
import { maxResultLength } from '../../core/tools/model-text.ts';
import { hasMembers } from '../shared/members.ts';
import type { McpAnswer } from './mcp-connection.ts';
import { shownContent } from './shown-content.ts';

/**
 * The data of a result for a model (contract/mcp-servers.md#results): its structured content, else its texts. Pictures, sounds and files are
 * named and left out.
 * @throws Error with the words of the server where the tool has failed.
 */
export function readMcpResult({ result, asked }: McpAnswer): unknown {
  const members = hasMembers(result) ? result : {};
  const { structuredContent, isError } = members;
  const content: readonly unknown[] = Array.isArray(members['content']) ? members['content'] : [];
  const text = content
    // Each part takes a line at least, so that no more of them are read than a text may be long.
    .slice(0, maxResultLength + 1)
    .map(textOfPart)
    .join('\n')
    .slice(0, maxResultLength + 1);
  if (members['resultType'] === 'input_required') throw new Error(unanswered(asked));
  if (isError === true)
    throw new Error([text || 'the tool failed', ...(asked.length === 0 ? [] : [unanswered(asked)])].join('\n'));
  const value =
    structuredContent !== undefined && structuredContent !== null
      ? shownContent(structuredContent)
      : plain(content, text);
  return asked.length === 0 ? value : { result: value, note: unanswered(asked) };
}

/** A single text that holds JSON stays a text: only what is declared to be data is data. */
function plain(content: readonly unknown[], text: string): string {
  return content.length === 0 ? 'The tool returned nothing.' : text;
}

function unanswered(asked: readonly string[]): string {
  const questions = asked.map((question) => JSON.stringify(oneLine(question))).join(', ');
  return `The server of this tool wanted to ask the user, and was told that nobody answers: ${questions || 'something'}. Put the question to the user in your own words. Never ask for a password or another secret.`;
}
