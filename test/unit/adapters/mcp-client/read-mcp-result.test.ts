import { describe, expect, it } from 'vitest';
import { readMcpResult } from '../../../../src/adapters/mcp-client/read-mcp-result.ts';

const text = (words: string): object => ({ type: 'text', text: words });
const read = (result: unknown, ...asked: readonly string[]): unknown => readMcpResult({ result, asked });

describe('results of MCP servers (contract/mcp-servers.md#results)', () => {
  // proves service-2.16-60
  it.each([
    ['texts, one a line', { content: [text('a'), text('b')] }, 'a\nb'],
    ['structured content before texts', { content: [text('a')], structuredContent: { n: 1 } }, { n: 1 }],
    ['text that looks like data as text', { content: [text('{"card":{}}')] }, '{"card":{}}'],
    ['nothing', { content: [] }, 'The tool returned nothing.'],
    ['what is no result', 'x', 'The tool returned nothing.'],
    [
      'pictures and sounds by their kind',
      {
        content: [
          { type: 'image', data: 'AAAA' },
          { type: 'audio', data: 'A' },
        ],
      },
      '[an image, which is not shown]\n[a sound, which is not played]',
    ],
    ['the text of a resource', { content: [{ type: 'resource', resource: { uri: 'a:b', text: 'page' } }] }, 'page'],
    [
      'a file by its address',
      { content: [{ type: 'resource', resource: { uri: 'a:\nb', blob: 'AA' } }] },
      '[a file, which is not shown: a: b]',
    ],
    [
      'a link by its name',
      { content: [{ type: 'resource_link', name: 'Doc', uri: 'https://a.example' }] },
      '[a link: Doc https://a.example]',
    ],
    [
      'parts of kinds to come',
      { content: [{ type: 'smell' }, 3] },
      '[something that is not shown]\n[something that is not shown]',
    ],
  ])('are read: %s', (_what, result, value) => {
    expect(read(result)).toEqual(value);
  });

  // proves service-2.16-61
  it('are cut where they are far too long, before anything is done with them', () => {
    expect(String(read({ content: [text('x'.repeat(3_000_000))] })).length).toBeLessThan(300_000);
    const rows = Array.from({ length: 300_000 }, () => ({}));
    const named = Object.fromEntries(rows.map((row, index) => [`n${String(index)}`, row]));
    for (const structuredContent of [rows, { rows }, named])
      expect(JSON.stringify(read({ content: [], structuredContent })).length).toBeLessThan(3_000_000);
    expect(read({ content: [], structuredContent: { rows } })).toHaveProperty('rows.length', 131_067);
  });

  // proves wire-24-05
  it('are read no further than a model is shown of structured content, which is cut where it goes on', () => {
    for (const count of [20_000, 300_000]) {
      let looks = 0;
      const members = Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${String(at)}`, 1]));
      const counted = new Proxy(members, {
        get: (target, name) => {
          looks += 1;
          return Reflect.get(target, name) as unknown; // it is handed on as it is
        },
      });
      const shown = JSON.stringify(read({ content: [], structuredContent: { counted } }));
      expect(looks).toBeLessThan(30_000);
      expect(shown.length > 256 * 1024).toBe(count === 300_000);
    }
    const long = Array.from({ length: 5_000 }, () => 'word '.repeat(100));
    const shown = read({ content: [], structuredContent: { long, beside: { long } } });
    expect(JSON.stringify(shown).length).toBeGreaterThan(256 * 1024);
    expect(JSON.stringify(shown).length).toBeLessThan(300_000);
  });

  it('that are errors are thrown with the words of the server', () => {
    expect(() => read({ isError: true, content: [text('no such order')] })).toThrow('no such order');
    expect(() => read({ isError: true })).toThrow('the tool failed');
  });

  // proves service-2.16-12
  it('tell the model what the server wanted to ask', () => {
    const said = read({ content: [text('done')] }, 'Which size?\nAnd your password?');
    expect(said).toEqual({
      result: 'done',
      note: expect.stringContaining('"Which size? And your password?"') as unknown,
    });
    expect(() => read({ resultType: 'input_required' }, 'Which size?')).toThrow('"Which size?"');
  });

  // proves service-2.16-62
  it('never give a model pictures, files or long base64 that stand in structured content', () => {
    const data = 'iVBORw0KGgo'.repeat(20_000);
    const shown = read({
      structuredContent: {
        content: [
          { type: 'image', data, mimeType: 'image/png' },
          { type: 'text', text: 'beside' },
        ],
        file: { type: 'resource', resource: { uri: 'a:b', blob: data } },
        lines: data.replaceAll(/(.{76})/g, '$1\n'),
        address: `data:image/png;base64,${data}`,
        kind: { type: 'image', url: 'https://a.example/a.png' },
        digest: 'a'.repeat(64),
        words: 'word '.repeat(5_000),
      },
    });
    expect(shown).toEqual({
      content: ['[an image, which is not shown]', { type: 'text', text: 'beside' }],
      file: '[a file, which is not shown: a:b]',
      lines: expect.stringMatching(/^\[\d+ characters of base64, which are not shown\]$/),
      address: expect.stringMatching(/^\[\d+ characters of base64, which are not shown\]$/),
      kind: { type: 'image', url: 'https://a.example/a.png' },
      digest: 'a'.repeat(64),
      words: `${'word '.repeat(4_000)} [cut: 5000 more characters]`,
    });
  });
});
