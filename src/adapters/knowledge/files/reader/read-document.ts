import { createHash } from 'node:crypto';
import { basename, extname } from 'node:path';
import { describeError } from '../../../shared/describe-error.ts';
import { cleanText } from './clean-text.ts';
import { detectLanguage } from './detect-language.ts';
import { type Facts, parseFacts } from './facts.ts';
import { decode } from './formats/text.ts';
import { splitFrontMatter } from './front-matter.ts';
import { kindOf } from './kinds.ts';
import { makeChunks } from './make-chunks.ts';
import type { Audience, ReadDocument, ReadJob, ReadResult } from './messages.ts';
import { isTextKind, readFormat, textReaders } from './read-format.ts';
import { readInside } from './read-inside.ts';
import { LeftOut, readLimits } from './read-limits.ts';
import { refuseStrayReaders } from './reader-names.ts';
import type { ReadableText } from './section.ts';

/** Reads one file with the facts about it. Never rejects: a fault of the file is a result. */
export async function readDocument(job: ReadJob): Promise<ReadResult> {
  let hash = '';
  try {
    const bytes = readInside(job.root, job.file, readLimits.bytes);
    const facts = job.facts.map((file) => ({ file, bytes: readFacts(job.root, file) }));
    hash = hashOf([bytes, ...facts.flatMap((one) => [Buffer.from(one.file), one.bytes])]);
    if (hash === job.knownHash) return { kind: 'same' };
    const said = facts.map((one) => parseFacts(decode(one.bytes), `file ${basename(one.file)}`));
    return { kind: 'document', hash, document: await parse(job, bytes, said) };
  } catch (error) {
    return { kind: 'left-out', reason: reasonOf(error), hash, isCost: false };
  }
}

/** A file of facts that cannot be read makes its document unreadable, because the document's readers are unknown. */
function readFacts(root: string, file: string): Buffer {
  try {
    return readInside(root, file, readLimits.factBytes);
  } catch (error) {
    throw new LeftOut(`has a file ${basename(file)} that ${reasonOf(error)}`, { cause: error });
  }
}

async function parse(job: ReadJob, bytes: Buffer, said: readonly Facts[]): Promise<ReadDocument> {
  const { content: read, facts } = await contentOf(job.file, bytes);
  const content = cleanContent(read);
  const all = facts === undefined ? said : [...said, facts];
  const last = (key: 'title' | 'url' | 'language'): string | undefined =>
    all.map((one) => one[key]).findLast((value) => value !== undefined);
  const title = last('title') ?? content.title ?? nameOf(job.file);
  const language = last('language') ?? job.language ?? content.language ?? (await detectLanguage(sampleOf(content)));
  const chunks = makeChunks(content.sections, { title, language });
  if (chunks.length === 0) throw new LeftOut('holds no text');
  const metadata = Object.fromEntries(all.flatMap((one) => Object.entries(one.metadata)));
  return { title, url: last('url') ?? null, language, metadata, audience: audienceOf(all), chunks };
}

function cleanContent({ title, language, sections }: ReadableText): ReadableText {
  return {
    title: title === undefined ? undefined : cleanText(title),
    language,
    sections: sections.map((section) => ({
      ...section,
      path: section.path.map(cleanText),
      text: cleanText(section.text),
    })),
  };
}

async function contentOf(
  file: string,
  bytes: Buffer,
): Promise<{ readonly content: ReadableText; readonly facts?: Facts }> {
  const kind = kindOf(extname(file)) ?? 'text';
  if (!isTextKind(kind)) return { content: await readFormat(kind, bytes) };
  return withFrontMatter(decode(bytes, kind === 'html' ? declaredCharset(bytes) : undefined), textReaders[kind]);
}

function withFrontMatter(
  text: string,
  read: (body: string) => ReadableText,
): { readonly content: ReadableText; readonly facts?: Facts } {
  const { facts, syntax, body } = splitFrontMatter(text);
  if (facts !== undefined) return { content: read(body), facts: parseFacts(facts, 'front matter', syntax) };
  refuseStrayReaders(body);
  return { content: read(body) };
}

/** The character set that an HTML page declares within its first kilobyte. */
function declaredCharset(bytes: Buffer): string | undefined {
  return /charset\s{0,5}=\s{0,5}["']?([a-z0-9_-]{1,30})/i.exec(bytes.toString('latin1', 0, 1_024))?.[1];
}

/** The facts of each level can only narrow the circle of readers, never widen it. */
function audienceOf(facts: readonly Facts[]): Audience {
  const groups = (lists: readonly (readonly string[] | undefined)[]): readonly (readonly string[])[] => {
    const named = lists.filter((list) => list !== undefined).filter((list) => list.length > 0);
    const sorted = named.map((list) => JSON.stringify([...new Set(list)].sort()));
    return [...new Set(sorted)].sort().map((list) => JSON.parse(list) as string[]); // the line before has written the text
  };
  return { roles: groups(facts.map((one) => one.requiredRoles)), tenants: groups(facts.map((one) => one.tenants)) };
}

function sampleOf({ sections }: ReadableText): string {
  return sections
    .slice(0, 5)
    .map(({ text }) => text.slice(0, 1_000))
    .join('\n');
}

/** Makes a title from a file's name: `returns-and-refunds` becomes "returns and refunds". */
function nameOf(file: string): string {
  return basename(file, extname(file)).replace(/[-_]+/g, ' ').trim() || basename(file);
}

function hashOf(parts: readonly Buffer[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${String(part.length)}:`).update(part);
  return hash.digest('base64url');
}

/** An error of the system names the whole path, which must not be shown. The reason gives only its code. */
function reasonOf(error: unknown): string {
  if (error instanceof LeftOut) return error.message;
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    return `cannot be read (${error.code})`;
  }
  return `cannot be understood: ${describeError(error)}`.slice(0, 200);
}
