import { maxResultLength } from '../../core/tools/model-text.ts';
import { textOfPart } from '../../core/tools/content-part.ts';
import { hasMembers } from '../shared/members.ts';

/** Characters of one text of structured content. */
const longestText = 20_000;
/** Base64 of this length is a file or a picture, and no key or digest. */
const longestBase64 = 1_000;
const deepest = 32;

/** Parts whose bytes stand in one of their members. */
const byteMembers: Readonly<Record<string, string>> = { image: 'data', audio: 'data' };

/**
 * Structured content as a model reads it (contract/mcp-servers.md#results): what is a picture, a sound or a file in it is named and left out,
 * however deep it stands, and so is base64 that no model reads. Texts have a bound.
 */
export function shownContent(value: unknown): unknown {
  // Each value takes two characters at least, so that no more of them are read than a result may be long.
  return shown(value, 0, { values: maxResultLength / 2 });
}

function shown(value: unknown, level: number, left: { values: number }): unknown {
  left.values -= 1;
  if (typeof value === 'string') return shownText(value);
  if (level > deepest) return '[nested too deep, and not shown]';
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value.slice(0, Math.max(0, left.values));
    return items.map((item) => shown(item, level + 1, left));
  }
  if (!hasMembers(value)) return value;
  if (isBytes(value)) return textOfPart(value);
  const members = Object.entries(value).slice(0, Math.max(0, left.values));
  return Object.fromEntries(members.map(([name, member]) => [name, shown(member, level + 1, left)]));
}

function isBytes(value: Readonly<Record<string, unknown>>): boolean {
  const { type, resource } = value;
  if (type === 'resource') return hasMembers(resource) && typeof resource['blob'] === 'string';
  const member = typeof type === 'string' && Object.hasOwn(byteMembers, type) ? byteMembers[type] : undefined;
  return member !== undefined && typeof value[member] === 'string';
}

function shownText(text: string): string {
  if (text.length > longestBase64 && isBase64(text))
    return `[${String(text.length)} characters of base64, which are not shown]`;
  if (text.length <= longestText) return text;
  return `${text.slice(0, longestText)} [cut: ${String(text.length - longestText)} more characters]`;
}

/** Looks at the beginning alone, so that a long text costs no more than a short one. */
function isBase64(text: string): boolean {
  const beginning = text.slice(0, 300);
  return (
    /^data:[a-z0-9.+/-]{3,100};base64,/i.test(beginning) ||
    /^[A-Za-z0-9+/_=-]{300}$/.test(beginning.replace(/\r?\n/g, '').padEnd(300, 'A'))
  );
}
