import { parse } from 'yaml';
import { type Members, hasMembers } from '../../shared/members.ts';
import { DocumentFault } from './document-fault.ts';

/** How often a YAML document may repeat parts of itself by alias. */
const mostAliases = 100;

/**
 * Reads JSON or YAML.
 * @throws DocumentFault where the text is neither, or holds no members.
 */
export function parseDocument(text: string): Members {
  const content = text.replace(/^\uFEFF/, '').trimStart();
  if (content === '') throw new DocumentFault('is empty');
  // YAML takes nearly every text. A page for signing in would otherwise be a document without anything.
  if (content.startsWith('<')) throw new DocumentFault('is a page or XML, and neither JSON nor YAML');
  const value = content.startsWith('{') ? jsonOf(content) : yamlOf(content);
  if (!hasMembers(value)) throw new DocumentFault('holds no members, so it is no OpenAPI document');
  return value;
}

/** YAML in braces is read as YAML. A large JSON document must not pay for the slower reader. */
function jsonOf(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    if (content.length > 1024 * 1024) throw new DocumentFault(`is no JSON: ${lineOf(error)}`, { cause: error });
    return yamlOf(content);
  }
}

function yamlOf(content: string): unknown {
  try {
    const value: unknown = parse(content, { maxAliasCount: mostAliases, logLevel: 'error' });
    return value;
  } catch (error) {
    throw new DocumentFault(`is neither JSON nor YAML: ${lineOf(error)}`, { cause: error });
  }
}

function lineOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return (text.split('\n')[0] ?? '').replace(/:$/, '').slice(0, 300);
}
