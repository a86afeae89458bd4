import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReplyScanner } from '../../../../../src/adapters/models/openai-wire/reply-scanner.ts';
import { ReplyAssembler } from '../../../../../src/adapters/models/openai-wire/reply-assembler.ts';
import { ReplyMemory, ReplyMeter, ReplyTooLarge } from '../../../../../src/adapters/models/reply-limits.ts';
import { chunk, ending } from '../../../../support/scripted-model.ts';

interface Read {
  readonly text: string;
  readonly pieces: readonly string[];
  /** Lines that needed JSON.parse. */
  readonly parsed: number;
}

/** Reads a stream that arrives in the given pieces. */
function read(pieces: readonly Uint8Array[]): Read {
  const escaped: string[] = [];
  const sink = { text: (piece: string) => void escaped.push(piece) };
  const meter = new ReplyMeter({ memory: new ReplyMemory(), maxReplyBytes: 1_000_000 });
  const assembler = new ReplyAssembler({
    sink,
    habit: { unopened: false },
    showsThoughts: false,
    model: 'configured',
    clean: (text) => text,
    meter,
  });
  let parsed = 0;
  const scanner = new ReplyScanner(
    {
      text: assembler.text,
      textAdded: () => {
        assembler.textAdded();
      },
      data: (json) => {
        parsed += 1;
        return assembler.data(json);
      },
    },
    { maxLineBytes: 100_000, meter },
  );
  for (const piece of pieces) scanner.push(Buffer.from(piece));
  scanner.end();
  return { text: assembler.reply().text, pieces: escaped, parsed };
}

function cut(bytes: Buffer, positions: readonly number[]): Buffer[] {
  const edges = [0, ...positions.map((position) => position % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return edges.slice(1).map((end, index) => bytes.subarray(edges[index], end));
}

const anyText = fc.string({ unit: 'binary', maxLength: 12 });

describe('ReplyScanner (docs/architecture.md)', () => {
  it('hands on any text unchanged, wherever the reads are cut', () => {
    const property = fc.property(
      fc.array(anyText, { maxLength: 12 }),
      fc.array(fc.nat(5_000), { maxLength: 12 }),
      fc.boolean(),
      fc.constantFrom('\n', '\r\n'),
      (texts, positions, escapeAll, lineEnd) => {
        const lines = texts.map((content) => (escapeAll ? escapedChunk(content) : chunk({ content })));
        // A reply of white space would be none.
        const stream = Buffer.from(`${lines.join('')}${chunk({ content: '.' })}${ending()}`.replaceAll('\n', lineEnd));
        const result = read(cut(stream, positions));
        expect(result.text).toBe(`${texts.join('').toWellFormed()}.`);
        for (const piece of result.pieces) expect(typeof JSON.parse(`"${piece}"`)).toBe('string');
      },
    );
    fc.assert(property, { numRuns: 300 });
  });

  it('hands on a reply that arrives byte by byte', () => {
    const texts = ['Grüße, ', '"quoted" \\ back', ' 漢字 ', '😀', '\u2028line\n'];
    const stream = Buffer.from(`${texts.map((content) => chunk({ content })).join('')}${ending()}`);
    const result = read([...stream].map((byte) => Uint8Array.of(byte)));
    expect(result.text).toBe(texts.join(''));
  });

  it('reads text lines of one form with JSON.parse only once, and hands on one text a read', () => {
    const stream = `${Array.from({ length: 200 }, (_, index) => chunk({ content: `w${String(index)} ` })).join('')}${ending()}`;
    const result = read([Buffer.from(stream)]);
    expect(result.pieces).toHaveLength(2);
    expect(result.text).toBe(Array.from({ length: 200 }, (_, index) => `w${String(index)} `).join(''));
    expect(result.parsed).toBe(4);
  });

  it('knows the form of lines whose obfuscation differs', () => {
    const lines = Array.from({ length: 50 }, (_, index) =>
      chunk({ content: `w${String(index)} ` }).replace(
        '}\n\n',
        `,"usage":null,"obfuscation":"${'x'.repeat(index)}"}\n\n`,
      ),
    );
    const result = read([Buffer.from(`${lines.join('')}${ending()}`)]);
    expect(result.text).toBe(Array.from({ length: 50 }, (_, index) => `w${String(index)} `).join(''));
    expect(result.parsed).toBe(4);
  });

  it.each([
    ['a control byte', 'a\u0001b'],
    ['a raw tab', 'a\tb'],
    ['a backslash before the closing quote', 'a\\'],
    ['an unknown escape', 'a\\x41'],
    ['a short unicode escape', 'a\\u12'],
  ])('lets nothing unescaped through: %s ends the reply as a fault', (_title, content) => {
    const good = chunk({ content: 'fine' });
    const bad = good.replace('fine', content);
    expect(() => read([Buffer.from(`${good}${bad}${ending()}`)])).toThrow('not a JSON object');
  });

  it('skips comments, other fields and lines without a space after the colon', () => {
    const lines = [
      ': keep-alive',
      'event: message',
      'id: 1',
      'retry: 5',
      '',
      chunk({ content: 'x' }).replace('data: ', 'data:'),
    ];
    expect(read([Buffer.from(`${lines.join('\n')}${ending()}`)]).text).toBe('x');
  });

  it('reads a last line that has no line feed', () => {
    expect(read([Buffer.from(`${chunk({ content: 'x' })}${chunk({}, { finish: 'stop' }).trimEnd()}`)]).text).toBe('x');
  });

  it('takes a text that contains the key it looks for', () => {
    const content = '{"choices":[{"delta":{"content":"no"}}]}';
    const lines = [chunk({ content }), chunk({ content }), chunk({ content: 'end' })];
    expect(read([Buffer.from(`${lines.join('')}${ending()}`)]).text).toBe(`${content}${content}end`);
  });

  it('bounds the length of a line, in one read and in many', () => {
    const line = Buffer.from(chunk({ content: 'x'.repeat(200_000) }));
    expect(() => read([line])).toThrow(ReplyTooLarge);
    expect(() => read(cut(line, [50_000, 150_000]))).toThrow(ReplyTooLarge);
  });
});

function escapedChunk(content: string): string {
  const units = Array.from({ length: content.length }, (_, index) => content.charCodeAt(index));
  const escaped = units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  return chunk({ content: '@@' }).replace('@@', () => escaped);
}
