import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

const answered = { '200': { description: 'Done.' } };
const orderId = { name: 'orderId', in: 'path', required: true, schema: { type: 'integer' } };

/** An operation with what every operation needs. */
export function operation(operationId: string, members: object = {}): object {
  return { operationId, summary: `Runs ${operationId}.`, responses: answered, ...members };
}

/** A document with these paths. */
export function documentOf(paths: object, more: object = {}): object {
  return { openapi: '3.1.0', info: { title: 'Shop', version: '1' }, paths, ...more };
}

/** A shop with a look-up and a cancellation. */
export const shopDocument = documentOf({
  '/orders/{orderId}': { get: operation('getOrder', { parameters: [orderId] }) },
  '/orders/{orderId}/cancel': {
    post: operation('cancelOrder', {
      parameters: [orderId],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: { type: 'object', required: ['reason'], properties: { reason: { type: 'string' } } },
          },
        },
      },
    }),
  },
});

/** Writes files, by their paths below a folder of the test. Returns the folder. */
export function filesOf(files: Readonly<Record<string, string | object>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'helper-openapi-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

/** Writes one document. Returns its path. */
export function fileOf(document: string | object, name = 'shop.openapi.json'): string {
  return join(filesOf({ [name]: document }), name);
}
