import { parse as parseToml } from 'smol-toml';
import { parseDocument } from 'yaml';
import { isRelative } from '../../../../core/cards/addresses.ts';
import { isReaderKey } from '../../../shared/is-reader-key.ts';
import type { FactSyntax } from './front-matter.ts';
import { LeftOut } from './read-limits.ts';

/** What front matter or a file of facts says of a document. */
export interface Facts {
  readonly title?: string;
  readonly url?: string;
  readonly language?: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly requiredRoles?: readonly string[];
  readonly tenants?: readonly string[];
}

const mostAliases = 20;
const mostMetadata = 20;
const longestKey = 64;
const longestValue = 500;
const longestTitle = 300;
const mostNames = 100;

/**
 * Reads facts in YAML or TOML. `place` completes a phrase that begins with "its", as in "its front matter".
 * @throws LeftOut when the facts cannot be understood: a document whose readers are unknown is shown to nobody.
 */
export function parseFacts(text: string, place: string, syntax: FactSyntax = 'yaml'): Facts {
  const found = syntax === 'toml' ? tableOf(text, place) : mappingOf(text, place);
  refuseInnerReaders(found, place);
  const metadata: Record<string, string> = {};
  const facts: { -readonly [Key in keyof Facts]: Facts[Key] } = { metadata };
  for (const [key, value] of Object.entries(found)) {
    if (key === 'requiredRoles') facts.requiredRoles = namesOf('requiredRoles', { value, place });
    else if (key === 'tenants') facts.tenants = namesOf('tenants', { value, place });
    else if (isReaderKey(key)) throw misspelt(key, place);
    else if (key === 'title') facts.title = titleOf(value, place);
    else if (key === 'url') facts.url = urlOf(value, place);
    else if (key === 'language') facts.language = languageOf(value, place);
    else addMetadata(metadata, key, value);
  }
  return facts;
}

function mappingOf(text: string, place: string): Record<string, unknown> {
  let value: unknown;
  try {
    const document = parseDocument(text, { logLevel: 'silent', uniqueKeys: true, schema: 'core' });
    if (document.errors.length > 0) throw new LeftOut(`has YAML that is not valid in its ${place}`);
    value = document.toJS({ maxAliasCount: mostAliases });
  } catch (error) {
    if (error instanceof LeftOut) throw error;
    // The aliases of the YAML expand too far, or its nesting is deeper than the stack.
    throw new LeftOut(`has YAML that expands to too much in its ${place}`);
  }
  if (value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw new LeftOut(`has no keys and values in its ${place}`);
  return { ...value };
}

function tableOf(text: string, place: string): Record<string, unknown> {
  try {
    return { ...parseToml(text) };
  } catch (error) {
    throw new LeftOut(`has TOML that is not valid in its ${place}`, { cause: error });
  }
}

/** Refuses names of readers inside another fact or a merge. Whoever wrote them wanted to keep somebody out. */
function refuseInnerReaders(found: Record<string, unknown>, place: string): void {
  const seen = new Set<object>();
  const values = Object.values(found);
  for (let value = values.pop(); value !== undefined || values.length > 0; value = values.pop()) {
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    for (const [key, inner] of Object.entries(value)) {
      if (isReaderKey(key)) throw new LeftOut(`has "${key}" within another key in its ${place}`);
      values.push(inner);
    }
  }
}

/** The fault of a key that is nearly a key for readers. Whoever wrote it wanted to keep somebody out, so it must not become a mere fact. */
function misspelt(key: string, place: string): LeftOut {
  const expected = /tenant/i.test(key) ? 'tenants' : 'requiredRoles';
  return new LeftOut(`has "${key.replace(/[^\p{L}\p{N}_. -]/gu, '?')}" instead of "${expected}" in its ${place}`);
}

function namesOf(
  expected: string,
  { value, place }: { readonly value: unknown; readonly place: string },
): readonly string[] {
  const names: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (names.length > mostNames || !names.every(isName)) {
    throw new LeftOut(`has ${expected} that are not a list of names in its ${place}`);
  }
  return names;
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= 200;
}

function titleOf(value: unknown, place: string): string {
  const title = textOf(value)?.trim();
  if (title === undefined || title === '') throw new LeftOut(`has a title that is not a text in its ${place}`);
  return title.slice(0, longestTitle);
}

function urlOf(value: unknown, place: string): string {
  if (typeof value === 'string' && value !== '' && value.length <= 2_000) {
    if (isRelative(value)) return value;
    if (URL.canParse(value) && new URL(value).protocol === 'https:') return value;
  }
  throw new LeftOut(`has a url that is neither https nor relative in its ${place}`);
}

/** Drops the region of a language: `pt-BR` becomes `pt`. */
function languageOf(value: unknown, place: string): string {
  const code = typeof value === 'string' ? /^([a-z]{2})(?:[-_][a-z0-9_-]{1,20})?$/i.exec(value)?.[1] : undefined;
  if (code === undefined) throw new LeftOut(`has a language that is not a code like "en" in its ${place}`);
  return code.toLowerCase();
}

/** Leaves out facts that are no text, such as a mapping. */
function addMetadata(metadata: Record<string, string>, key: string, value: unknown): void {
  const parts = (Array.isArray(value) ? value : [value]).map(textOf);
  if (key.length > longestKey || Object.keys(metadata).length >= mostMetadata) return;
  if (parts.some((part) => part === undefined)) return;
  const text = parts.join(', ').trim().slice(0, longestValue);
  if (text !== '') Object.defineProperty(metadata, key, { value: text, enumerable: true, configurable: true });
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  return undefined;
}
