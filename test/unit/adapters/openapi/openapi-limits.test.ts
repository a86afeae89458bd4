import { describe, expect, it } from 'vitest';
import { openapiLimits } from '../../../../src/adapters/openapi/openapi-limits.ts';

const mebibyte = 1024 * 1024;

describe('the limits of documents and APIs (contract/openapi.md#limits)', () => {
  // proves extending-3-50
  it('are those of the contract', () => {
    expect(openapiLimits).toMatchObject({
      documentBytes: 16 * mebibyte,
      documents: 1_000,
      readMs: 20_000,
      readMiB: 256,
      operations: 500,
      schemaLength: 32 * 1024,
      answerBytes: mebibyte,
      pauseMs: { first: 1_000, last: 30_000 },
    });
  });
});
