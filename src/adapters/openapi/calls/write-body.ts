import { randomUUID } from 'node:crypto';
import { hasMembers } from '../../shared/members.ts';
import type { ArgumentTarget, ImportedOperation } from '../document/imported-operation.ts';
import { queryPairs, type QueryPair } from './write-parameter.ts';

/** A body as it is sent. */
export interface WrittenBody {
  readonly type: string;
  readonly text: string;
}

/** The arguments that go into the body: the whole of it, or its members. */
export interface BodyArguments {
  readonly whole?: unknown;
  readonly members: readonly (readonly [target: Extract<ArgumentTarget, { in: 'member' }>, value: unknown])[];
}

/**
 * Writes a body: as JSON, as a form, or as plain text (contract/openapi.md#calls). Undefined where nothing is sent.
 * @throws Error where the whole of a form is no object.
 */
export function writeBody(
  { bodyType, bodyKind, bodyRequired }: Pick<ImportedOperation, 'bodyType' | 'bodyKind' | 'bodyRequired'>,
  { whole, members }: BodyArguments,
): WrittenBody | undefined {
  if (bodyType === undefined) return undefined;
  if (whole === undefined && members.length === 0 && !bodyRequired) return undefined;
  if (bodyKind === 'text') return { type: `${bodyType}; charset=utf-8`, text: typeof whole === 'string' ? whole : '' };
  if (bodyKind === undefined) {
    const value = whole ?? Object.fromEntries(members.map(([{ name }, member]) => [name, member] as const));
    return { type: bodyType, text: JSON.stringify(value) };
  }
  const fields = [...members, ...wholeFields(whole)];
  const parts = fields.flatMap(([target, value]) => partsOf(target, value));
  if (bodyKind === 'form') {
    const pairs = new URLSearchParams(parts.map(({ name, text }): [string, string] => [name, text]));
    return { type: bodyType, text: pairs.toString() };
  }
  return multipart(parts);
}

function wholeFields(whole: unknown): BodyArguments['members'] {
  if (whole === undefined) return [];
  if (!hasMembers(whole)) throw new Error('the body of this call must be an object');
  return Object.entries(whole).map(([name, value]) => [{ in: 'member', name }, value] as const);
}

interface FormPart {
  readonly name: string;
  readonly text: string;
  readonly isJson: boolean;
}

/** A list is repeated and an object is JSON, unless the document says otherwise (OpenAPI, "Encoding Object"). */
function partsOf({ name, encoding }: BodyArguments['members'][number][0], value: unknown): readonly FormPart[] {
  if (encoding !== undefined) {
    const pairs: readonly QueryPair[] = queryPairs(value, { in: 'query', name, ...encoding });
    return pairs.map(([key, text]) => ({ name: key, text, isJson: encoding.style === 'json' }));
  }
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.map((one) => {
    const isJson = Array.isArray(one) || hasMembers(one);
    const text = one === null ? '' : typeof one === 'string' ? one : JSON.stringify(one);
    return { name, text, isJson };
  });
}

/** RFC 7578. The boundary is random, so that no value can hold it. */
function multipart(parts: readonly FormPart[]): WrittenBody {
  const boundary = `helper-${randomUUID()}`;
  const written = parts.map(({ name, text, isJson }) => {
    const type = isJson ? '\r\nContent-Type: application/json' : '';
    return `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"${type}\r\n\r\n${text}\r\n`;
  });
  return { type: `multipart/form-data; boundary=${boundary}`, text: `${written.join('')}--${boundary}--\r\n` };
}

/** As browsers write names of fields (HTML, "Multipart form data"). */
function escaped(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}
