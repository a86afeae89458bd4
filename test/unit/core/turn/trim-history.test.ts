import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '../../../../src/core/ports/chat-model.ts';
import { trimHistory } from '../../../../src/core/turn/conversation/trim-history.ts';

const turn = (tools: number): ChatMessage[] => [
  { role: 'user', text: 'q' },
  ...Array.from({ length: tools }, (_value, index): ChatMessage[] => [
    { role: 'assistant', text: '', toolCalls: [{ id: String(index), name: 't', arguments: '{}' }] },
    { role: 'tool', callId: String(index), name: 't', text: 'r' },
  ]).flat(),
  { role: 'assistant', text: 'a', toolCalls: [] },
];

describe('trimHistory (contract/sessions.md#length)', () => {
  // proves service-2.9-02
  it('removes whole turns, oldest first, down to the limit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 30 }),
        (sizes, limit) => {
          const turns = sizes.map(turn);
          const history = turns.flat();
          const kept = trimHistory(history, limit);
          expect(kept).toEqual(history.slice(history.length - kept.length));
          expect(kept[0]?.role).toBe('user');
          const last = turns.at(-1) ?? [];
          if (last.length <= limit) expect(kept.length).toBeLessThanOrEqual(limit);
          else expect(kept).toEqual(last);
        },
      ),
    );
  });

  // proves service-2.9-03
  it.each([0, -1])('a limit of %i trims nothing', (limit) => {
    const history = [...turn(3), ...turn(3)];
    expect(trimHistory(history, limit)).toBe(history);
  });
});
