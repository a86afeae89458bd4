import { parseDocument } from 'yaml';
import { isReaderKey } from '../shared/is-reader-key.ts';
import type { SkillFacts } from '../../core/ports/skill-source.ts';
import { isSkillName, plainDescription, skillLengths, skillNameRule } from '../../core/skills/skill-format.ts';
import { LeftOut, skillLimits } from './skill-limits.ts';

/** The facts in the front matter of a `SKILL.md`, and its keys that have no effect. */
export interface FrontMatter {
  readonly facts: SkillFacts;
  readonly unknown: readonly string[];
}

const mostAliases = 20;
const mostMetadata = 50;
const mostNames = 100;
const longestText = 500;
/** The beginning of the keys in `metadata` that the server itself uses. */
const ownPrefix = 'helper.';
const rolesKey = 'helper.requiredRoles';
const tenantsKey = 'helper.tenants';
const knownKeys = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'];

/**
 * Splits a `SKILL.md` into front matter and instructions.
 * @throws LeftOut when it does not begin with front matter that ends.
 */
export function splitSkill(text: string): { readonly yaml: string; readonly instructions: string } {
  const opening = /^\uFEFF?---[ \t]*\n/.exec(text);
  if (opening === null) throw new LeftOut('does not begin with front matter');
  const start = opening[0].length;
  const head = text.slice(start, start + skillLimits.frontMatterBytes);
  const closing = /(?:^|\n)---[ \t]*(?:\n|$)/.exec(head);
  if (closing === null) throw new LeftOut('begins with front matter that does not end');
  return { yaml: head.slice(0, closing.index), instructions: text.slice(start + closing.index + closing[0].length) };
}

/**
 * Reads the front matter of a skill (contract/skills.md#files).
 * @throws LeftOut when the front matter breaks the format, or when it is not clear who may use the skill. Then nobody may use it.
 */
export function readFrontMatter(yaml: string): FrontMatter {
  const found = mappingOf(yaml);
  refuseStrayReaders(found);
  const metadata = metadataOf(found['metadata']);
  return {
    facts: {
      name: skillName(found['name']),
      description: skillDescription(found['description']),
      license: optionalText('license', found['license'], longestText),
      compatibility: optionalText('compatibility', found['compatibility'], longestText),
      allowedTools: optionalText('allowed-tools', found['allowed-tools'], 2 * longestText)?.split(/[\s,]+/),
      requiredRoles: namesOf(rolesKey, metadata[rolesKey]),
      tenants: namesOf(tenantsKey, metadata[tenantsKey]),
      metadata: Object.fromEntries(Object.entries(metadata).filter(([key]) => !key.startsWith(ownPrefix))),
    },
    unknown: Object.keys(found).filter((key) => !knownKeys.includes(key)),
  };
}

function mappingOf(yaml: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    const document = parseDocument(yaml, { logLevel: 'silent', uniqueKeys: true, schema: 'core' });
    if (document.errors.length > 0) throw new LeftOut('has front matter that is not valid YAML');
    value = document.toJS({ maxAliasCount: mostAliases });
  } catch (error) {
    if (error instanceof LeftOut) throw error;
    // The aliases of the YAML expand too far, or its nesting is deeper than the stack.
    throw new LeftOut('has front matter that expands to too much');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new LeftOut('has front matter without keys and values');
  }
  return Object.fromEntries(Object.entries(value));
}

/** Refuses a key that nearly names readers, or that names them in the wrong place. Whoever wrote it wanted to keep somebody out. */
function refuseStrayReaders({ metadata, ...others }: Readonly<Record<string, unknown>>): void {
  const isExact = (key: string): boolean => key === rolesKey || key === tenantsKey;
  const stray = keysIn(others).find(isForReaders) ?? keysIn(metadata).find((key) => !isExact(key) && isForReaders(key));
  if (stray === undefined) return;
  throw new LeftOut(`has "${shown(stray)}", but only "${rolesKey}" and "${tenantsKey}" in metadata say who may use it`);
}

function isForReaders(key: string): boolean {
  return key.startsWith(ownPrefix) || isReaderKey(key) || isReaderKey(key.replace(/^\W*helper/iu, ''));
}

function keysIn(value: unknown): readonly string[] {
  const keys: string[] = [];
  const seen = new Set<object>();
  const values = [value];
  for (let at = values.pop(); at !== undefined || values.length > 0; at = values.pop()) {
    if (typeof at !== 'object' || at === null || seen.has(at)) continue;
    seen.add(at);
    for (const [key, inner] of Object.entries(at)) {
      if (!Array.isArray(at)) keys.push(key);
      values.push(inner);
    }
  }
  return keys;
}

function skillName(value: unknown): string {
  const name = typeof value === 'string' ? value.normalize('NFKC') : '';
  if (name === '') throw new LeftOut('has no name');
  if (isSkillName(name)) return name;
  throw new LeftOut(`has a name that is not ${skillNameRule}`);
}

function skillDescription(value: unknown): string {
  const text = typeof value === 'string' ? plainDescription(value) : '';
  if (text === '') throw new LeftOut('has no description');
  if (text.length <= skillLengths.description) return text;
  throw new LeftOut(`has a description of more than ${String(skillLengths.description)} characters`);
}

function optionalText(key: string, value: unknown, longest: number): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = textOf(value);
  if (text === undefined || text.length > longest) {
    throw new LeftOut(`has a ${key} that is not a text of at most ${String(longest)} characters`);
  }
  return text.trim() === '' ? undefined : text.trim();
}

function metadataOf(value: unknown): Readonly<Record<string, string>> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw new LeftOut('has metadata that are not keys and texts');
  const entries = Object.entries(value).map(([key, item]): [string, string] => {
    const text = textOf(item);
    if (text === undefined) throw new LeftOut(`has metadata "${shown(key)}" that is not a text`);
    return [key, text];
  });
  if (entries.length > mostMetadata) throw new LeftOut(`has more than ${String(mostMetadata)} metadata`);
  return Object.fromEntries(entries);
}

/** Reads names with commas between them. A key without a name is a fault, because whoever wrote it wanted to keep somebody out. */
function namesOf(key: string, value: string | undefined): readonly string[] {
  if (value === undefined) return [];
  const names = value.split(',').map((name) => name.trim());
  const isWhole = names.length <= mostNames && names.every((name) => name !== '' && name.length <= 200);
  if (isWhole && !/^[[{]/.test(value.trim())) return names;
  throw new LeftOut(`has "${key}" that is not a list of names with commas between them`);
}

/** The format takes numbers and the like as texts. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  return undefined;
}

function shown(key: string): string {
  return key.replace(/[^\p{L}\p{N}_. -]/gu, '?').slice(0, 64);
}
