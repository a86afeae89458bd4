import { describe, expect, it } from 'vitest';
import { readManifest } from '../../../src/adapters/action-callback/read-manifest.ts';

const action = { name: 'get_order', description: 'Looks up an order.', parameters: { type: 'object' } };
const page = { name: 'order', title: 'Order', url: '/orders/{id}', description: 'One order.' };
const withActions = (...actions: readonly object[]): string => JSON.stringify({ version: 1, actions });
const withPages = (...pages: readonly object[]): string => JSON.stringify({ version: 1, pages });

describe('the manifest of a callback (contract/plugins.md#callbacks)', () => {
  it('may hold nothing but its version', async () => {
    expect(await readManifest('{"version":1}')).toEqual({
      actions: [],
      pages: [],
      transformsResults: false,
      checks: { input: false, output: false },
      searches: false,
    });
  });

  it('offers the hooks inputGuardrail, outputGuardrail, toolResult and search', async () => {
    const manifest = await readManifest(
      '{"version":1,"hooks":["inputGuardrail","outputGuardrail","toolResult","search"]}',
    );
    expect(manifest).toMatchObject({
      transformsResults: true,
      checks: { input: true, output: true },
      searches: true,
    });
  });

  it.each([
    ['another version', '{"version":2}', /version must be 1/],
    ['no JSON', '<html>', /JSON/],
    // proves extending-2-02
    ['a misspelt member', withActions({ ...action, requiredRole: ['Boss'] }), /requiredRole is not known/],
    ['an action without parameters', withActions({ name: 'a', description: 'b' }), /parameters is required/],
    ['parameters that are no object', withActions({ ...action, parameters: { type: 'array' } }), /type is object/],
    [
      'parameters that are no schema',
      withActions({ ...action, parameters: { type: 'object', properties: 5 } }),
      /parameters of get_order cannot be used/,
    ],
    [
      'parameters with a pattern that can backtrack without bound',
      withActions({
        ...action,
        parameters: { type: 'object', properties: { a: { type: 'string', pattern: '^(a|a)*b$' } } },
      }),
      /parameters of get_order cannot be used: properties\.a: the pattern "\^\(a\|a\)\*b\$" can backtrack without bound/,
    ],
    [
      'an action that only reads and cannot be undone',
      withActions({ ...action, readOnly: true, destructive: true }),
      /destructive: true of get_order cannot stand beside readOnly: true/,
    ],
    ['a name of other letters', withActions({ ...action, name: 'getOrder' }), /"getOrder" must be lower case/],
    // proves extending-2-02
    ['a reserved name', withActions({ ...action, name: 'navigate_to_page' }), /is reserved/],
    ['a reserved beginning', withActions({ ...action, name: 'page_fill' }), /is reserved/],
    ['an action twice', withActions(action, action), /the action get_order is there twice/],
    ['a page twice', withPages(page, page), /the page order is there twice/],
    ['a page of another scheme', withPages({ ...page, url: 'javascript:alert(1)' }), /url of the page order/],
    ['a page beside something odd', withPages({ ...page, placement: 'above' }), /placement must be one of/],
    ['a time limit of nothing', withActions({ ...action, timeoutSeconds: 0 }), /timeoutSeconds must be > 0/],
    ['an unknown hook', '{"version":1,"hooks":["toolResults"]}', /hooks\[0\] must be one of/],
  ])('is refused as a whole for %s', async (_title, text, message) => {
    await expect(readManifest(text)).rejects.toThrow(message);
  });
});
