import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventLog } from '../../../../src/core/record/event-log.ts';
import { TextLog } from '../../../../src/core/record/text-log.ts';
import type { RecordedEvent } from '../../../../src/core/events/turn-event.ts';

describe('the resume buffer of a turn (contract/sse.md#coming-back)', () => {
  it('plays back exactly what was sent, from any number on', () => {
    const step = fc.oneof(
      fc.tuple(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
        fc.constantFrom('a', 'Billing', '> "quoted" \\ '),
      ),
      fc.constant(null), // an event that is not text
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), fc.nat(80), (steps, from) => {
        const log = new EventLog({ turnId: 't', agent: 'a', maxLength: 1_000_000 });
        const sent: RecordedEvent[] = steps.map((said, index) =>
          said === null
            ? log.add({ type: 'action-progress', callId: String(index), text: 'x' })
            : log.addText(JSON.stringify(said[0]).slice(1, -1), said[1]),
        );
        const after = Math.min(from, sent.length);
        expect(log.after(after)).toEqual(sent.slice(after));
        expect(log.sealed().after(after)).toEqual(sent.slice(after));
        expect(sent.map(({ seq }) => seq)).toEqual(sent.map((_event, index) => index + 1));
        const told = sent.map(({ json }) => JSON.parse(json) as { readonly agent?: string }); // a text event names its speaker
        expect(told.map(({ agent }) => agent)).toEqual(steps.map((said) => said?.[1]));
        const texts = steps.flatMap((said) => (said === null ? [] : [said[0]]));
        expect(JSON.parse(`"${log.escapedText()}"`)).toBe(texts.join(''));
      }),
    );
  });

  it('gives no number to an event that cannot be written: there is no gap, and no text moves', () => {
    const log = new EventLog({ turnId: 't', agent: 'a', maxLength: 1_000_000 });
    const before = log.addText('one');
    expect(() => log.add({ type: 'card-ready', cardId: 'c', card: 1n })).toThrow(TypeError);
    const after = [log.addText('two'), log.add({ type: 'action-progress', callId: 'c', text: 'x' })];
    expect(log.after(0)).toEqual([before, ...after]);
    expect(after.map(({ seq }) => seq)).toEqual([2, 3]);
  });

  it('forgets the oldest over its limit, and keeps the newest whatever its size', () => {
    const log = new EventLog({ turnId: 't', agent: 'a', maxLength: 500 });
    const sent = Array.from({ length: 60 }, (_value, index) =>
      index % 3 === 0
        ? log.add({ type: 'action-progress', callId: 'c', text: 'x' })
        : log.addText(`piece ${String(index)}`),
    );
    const first = sent.findIndex((_event, index) => log.reaches(index));
    expect(first).toBeGreaterThan(40);
    expect(log.after(first)).toEqual(sent.slice(first));
    expect(log.after(first - 1)).toBeUndefined();
    expect(log.sealed().after(first)).toEqual(sent.slice(first));
    expect(log.sealed().after(first - 1)).toBeUndefined();
    const readable = log.after(first) ?? [];
    expect(readable.reduce((length, { json }) => length + json.length, 0)).toBeLessThanOrEqual(500);
    const large = log.addText('y'.repeat(10_000));
    expect(log.after(60)).toEqual([large]);
    expect(log.reaches(61)).toBe(true);
    expect(log.reaches(62)).toBe(false);
  });
});

describe('TextLog', () => {
  it('gives back every piece, moved or not', () => {
    const log = new TextLog();
    const pieces = Array.from({ length: 100 }, (_value, index) => `p${String(index)} é 😀`.repeat(index % 5));
    for (const piece of pieces) log.append(piece);
    expect(pieces.map((_piece, index) => log.piece(index))).toEqual(pieces);
    expect(log.text()).toBe(pieces.join(''));
    expect(log.piece(100)).toBe('');
  });
});
