import type { ImportedOperation, ReadDocument } from '../../../../src/adapters/openapi/document/imported-operation.ts';
import { readDocument, type ReadOrder } from '../../../../src/adapters/openapi/document/read-document.ts';
import { openapiLimits } from '../../../../src/adapters/openapi/openapi-limits.ts';
import { documentOf, fileOf, operation } from '../../../support/openapi/shop-document.ts';

/** Reads a document in this thread. */
export function read(document: string | object, order: Partial<ReadOrder> = {}): Promise<ReadDocument> {
  const file = typeof document === 'string' ? document : fileOf(document);
  const whole = { headers: {}, operations: ['*'], named: [], configuredHeaders: [], limits: openapiLimits };
  return readDocument({ ...whole, document: file, ...order }, new AbortController().signal);
}

/** Reads a document with one operation, which must be importable. */
export async function readOne(
  members: object,
  { path = '/things', method = 'post', more = {}, headers = [] as readonly string[] } = {},
): Promise<ImportedOperation> {
  const document = documentOf({ [path]: { [method]: operation('one', members) } }, more);
  const { operations, refused } = await read(document, { configuredHeaders: headers });
  const [first] = operations;
  if (first === undefined) throw new Error(`it is left out: ${refused[0]?.reason ?? ''}`);
  return first;
}

/** Why the one operation of a document is left out. */
export async function refusalOf(
  members: object,
  { path = '/things', method = 'post', more = {} } = {},
): Promise<string> {
  const { refused } = await read(documentOf({ [path]: { [method]: operation('one', members) } }, more));
  return refused.map(({ reason }) => reason).join('; ');
}

/** A JSON body with this schema. */
export function bodyOf(schema: object, required = true): object {
  return { requestBody: { required, content: { 'application/json': { schema } } } };
}
