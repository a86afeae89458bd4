import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readToolSchema } from '../../../src/adapters/shared/tool-schema.ts';
import { checkMended, mendedText } from '../../../src/core/tools/mend-arguments.ts';
import type { Tool } from '../../../src/core/tools/tool.ts';

type Checked = Pick<Tool, 'parameters' | 'checkArguments'>;

async function toolWith(parameters: object): Promise<Checked> {
  const { schema, check } = await readToolSchema({ type: 'object', ...parameters });
  return { parameters: schema, checkArguments: check };
}

const order = {
  properties: {
    order: { type: 'integer' },
    note: { type: 'string' },
    gift: { type: 'boolean' },
    price: { type: ['number', 'null'] },
    lines: { type: 'array', items: { $ref: '#/$defs/line' } },
    where: { anyOf: [{ type: 'object', properties: { zip: { type: 'integer' } } }, { type: 'null' }] },
    scale: { type: 'integer', default: 2 },
  },
  required: ['order', 'scale'],
  $defs: {
    line: { type: 'object', properties: { sku: { type: 'string' }, count: { type: 'integer' } }, required: ['sku'] },
  },
};

describe('arguments that are nearly right (contract/plugins.md#arguments-that-are-nearly-right)', () => {
  // proves service-11-60
  it.each([
    ['null for what may be left out', '{"order":1,"scale":1,"note":null}', '{"order":1,"scale":1}', ['note']],
    ['a number in a text', '{"order":"1001","scale":1}', '{"order":1001,"scale":1}', ['order']],
    ['a fraction in a text', '{"order":1,"scale":1,"price":"9.95"}', '{"order":1,"scale":1,"price":9.95}', ['price']],
    ['null in a text', '{"order":1,"scale":1,"price":"null"}', '{"order":1,"scale":1,"price":null}', ['price']],
    ['true in a text', '{"order":1,"scale":1,"gift":"true"}', '{"order":1,"scale":1,"gift":true}', ['gift']],
    ['True in a text', '{"order":1,"scale":1,"gift":"True"}', '{"order":1,"scale":1,"gift":true}', ['gift']],
    [
      'a list in a text',
      String.raw`{"order":1,"scale":1,"lines":"[{\"sku\":\"a\",\"count\":\"2\"}]"}`,
      '{"order":1,"scale":1,"lines":[{"sku":"a","count":2}]}',
      ['lines', 'lines[0].count'],
    ],
    [
      'an object in a text',
      String.raw`{"order":1,"scale":1,"where":"{\"zip\":\"7\"}"}`,
      '{"order":1,"scale":1,"where":{"zip":7}}',
      ['where', 'where.zip'],
    ],
    ['a default that is required', '{"order":1}', '{"order":1,"scale":2}', ['scale']],
    ['null for what has a default', '{"order":1,"scale":null}', '{"order":1,"scale":2}', ['scale']],
    ['a fence', '```json\n{"order":1,"scale":1}\n```', '{"order":1,"scale":1}', ['arguments']],
    ['a fence without a word', '```\n{"order":"1","scale":1}```', '{"order":1,"scale":1}', ['arguments', 'order']],
    ['JSON in JSON', JSON.stringify('{"order":1,"scale":1}'), '{"order":1,"scale":1}', ['arguments']],
    [
      'JSON in JSON in JSON',
      JSON.stringify(JSON.stringify('{"order":1,"scale":1}')),
      '{"order":1,"scale":1}',
      ['arguments'],
    ],
    [
      'a line break in a text',
      '{"order":1,"scale":1,"note":"a\nb\t\\"c"}',
      String.raw`{"order":1,"scale":1,"note":"a\nb\t\"c"}`,
      ['arguments'],
    ],
  ])('are mended: %s', async (_title, written, text, mended) => {
    expect(mendedText(await toolWith(order), written)).toEqual({ text, mended });
  });

  // proves service-11-60
  it('are mended as a whole where they are null and nothing is needed', async () => {
    expect(mendedText(await toolWith({ properties: {} }), 'null')).toEqual({ text: '{}', mended: ['arguments'] });
  });

  // proves service-11-61
  it.each([
    ['what fits', '{"order":1,"scale":1,"note":"1"}'],
    ['a text where a text is wanted', '{"order":1,"scale":1,"note":"null"}'],
    ['null that is required', '{"order":null,"scale":1}'],
    ['a whole number that loses digits', '{"order":"9007199254740993","scale":1}'],
    ['a number that loses digits', '{"order":9007199254740993,"scale":"1"}'],
    ['a fraction that loses digits', '{"order":1,"scale":1,"price":"0.12345678901234567"}'],
    ['a number that is none of JSON', '{"order":"0x10","scale":1}'],
    ['a number with an exponent', '{"order":"1e3","scale":1}'],
    ['a number with a zero before it', '{"order":"007","scale":1}'],
    ['minus zero', '{"order":"-0","scale":1}'],
    ['infinity', '{"order":1,"scale":1,"price":"Infinity"}'],
    ['a fraction for a whole number', '{"order":"1.5","scale":1}'],
    ['a name twice', '{"order":"1","order":"2","scale":1}'],
    ['a name twice in a text', String.raw`{"order":1,"scale":1,"where":"{\"zip\":1,\"zip\":2}"}`],
    ['a name that is inherited', String.raw`{"order":1,"scale":1,"where":"{\"__proto__\":1}"}`],
    ['a name that is not declared', '{"order":"1","scale":1,"reason":"x"}'],
    ['something that stays wrong', '{"order":"one","scale":"1"}'],
    ['a list', '[{"order":"1","scale":1}]'],
    ['two objects', '{"order":1,"scale":1}{}'],
    ['more than a fence', 'Here: ```json\n{"order":1,"scale":1}\n```'],
    ['half an object', '{"order":1'],
    ['four encodings', JSON.stringify(JSON.stringify(JSON.stringify('{"order":1,"scale":1}')))],
    ['what is too long', JSON.stringify({ order: '1', scale: 1, note: 'x'.repeat(100_001) })],
  ])('are not touched: %s', async (_title, written) => {
    const closed = { ...order, additionalProperties: false };
    expect(mendedText(await toolWith(closed), written)).toBeUndefined();
  });

  // proves service-11-61
  it('are told the faults of what was written where they cannot be mended', async () => {
    const { check, mended } = checkMended(await toolWith(order), { order: 'one', note: null });
    expect(mended).toEqual([]);
    expect(check).toMatchObject({
      ok: false,
      faults: expect.arrayContaining([expect.stringContaining('order')]) as unknown,
    });
  });

  // proves service-11-61
  it('fit whenever they were mended, are the same when they are mended again, and stay when they fit', async () => {
    const tool = await toolWith(order);
    const scalar = fc.oneof(
      fc.constantFrom<unknown>(null, '1', 'true', 'x', '[]', '{}', '1.5', '[{"sku":"a"}]', '{"zip":"3"}'),
      fc.jsonValue({ maxDepth: 2 }),
    );
    const given = fc.record(
      { order: scalar, note: scalar, gift: scalar, price: scalar, lines: scalar, where: scalar, scale: scalar },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(given, (value) => {
        const { check, checked, mended } = checkMended(tool, value);
        expect(mended.length > 0 ? check.ok : true).toBe(true);
        if (mended.length === 0) expect(checked).toBe(value);
        if (check.ok) expect(checkMended(tool, checked)).toMatchObject({ mended: [], checked });
      }),
      { numRuns: 300 },
    );
  });

  // proves service-11-61
  it('end for schemas that refer to themselves', async () => {
    const node = { type: 'object', properties: { tree: { $ref: '#/$defs/node' }, count: { type: 'integer' } } };
    const tree = { properties: { tree: { anyOf: [{ $ref: '#/$defs/node' }] } }, $defs: { node } };
    const deep = (levels: number): object => (levels === 0 ? { count: '1' } : { tree: deep(levels - 1) });
    expect(mendedText(await toolWith(tree), JSON.stringify(deep(40)))?.mended).toHaveLength(1);
    const endless = { parameters: { allOf: [{ $ref: '#' }], anyOf: [{ $ref: '#' }, { $ref: '#' }] } };
    const never: Checked = { ...endless, checkArguments: () => ({ ok: false, faults: ['no'] }) };
    expect(mendedText(never, '{"a":{"b":"1"}}')).toBeUndefined();
  });
});
