import { maxResultLength } from '../../core/tools/model-text.ts';
import { textOfPart } from '../../core/tools/content-part.ts';
import { hasMembers } from '../shared/members.ts';

/** Characters of one text of structured content. */
const longestText = 20_000;
/** Base64 of this length is a file or a picture, and no key or digest. */
const longestBase64 = 1_000;
const deepest = 32;
/** The quotation marks and the colon of a member. */
const membersSigns = 3;

/** Parts whose bytes stand in one of their members. */
const byteMembers: Readonly<Record<string, string>> = { image: 'data', audio: 'data' };

/**
 * Structured content as a model reads it (contract/mcp-servers.md#results): what is a picture, a sound or a file in it is named and left out,
 * however deep it stands, and so is base64 that no model reads. Texts have a bound.
 */
export function shownContent(value: unknown): unknown {
  return shown(value, 0, { characters: maxResultLength });
}

/**
 * What is shown is never taken for longer than its JSON is: a value that is cut here is cut as a text as well, with a note.
 * `left` is what a result may still be long.
 */
function shown(value: unknown, level: number, left: { characters: number }): unknown {
  left.characters -= 1;
  if (typeof value === 'string') return counted(shownText(value), left);
  if (level > deepest) return counted('[nested too deep, and not shown]', left);
  if (typeof value === 'object' && value !== null) left.characters -= 1;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) {
      if (left.characters < 0) break;
      items.push(shown(item, level + 1, left));
    }
    return items;
  }
  if (!hasMembers(value)) return value;
  if (isBytes(value)) return counted(textOfPart(value), left);
  const members: [string, unknown][] = [];
  for (const name of Object.keys(value)) {
    if (left.characters < 0) break;
    left.characters -= name.length + membersSigns;
    members.push([name, shown(value[name], level + 1, left)]);
  }
  return Object.fromEntries(members);
}

function counted(text: string, left: { characters: number }): string {
  left.characters -= text.length;
  return text;
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
