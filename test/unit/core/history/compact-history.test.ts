import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokenxCounter } from '../../../../src/adapters/tokens/tokenx-counter.ts';
import { collapseResult } from '../../../../src/core/history/collapse-result.ts';
import { compactHistory } from '../../../../src/core/history/compact-history.ts';
import { turnStarts, withCut } from '../../../../src/core/history/cut.ts';
import { TokenEstimates } from '../../../../src/core/history/token-estimates.ts';
import type { ChatMessage } from '../../../../src/core/ports/chat-model.ts';
import { anyHistory, orphans, turnOf, words } from '../../../support/histories.ts';

const estimates = new TokenEstimates(tokenxCounter);
const tokensOf = (message: ChatMessage) => estimates.ofMessage(message);
const sizeOf = (messages: readonly ChatMessage[]) => messages.reduce((sum, message) => sum + tokensOf(message), 0);
const compacted = (history: readonly ChatMessage[], threshold: number, maxTurns = 8) =>
  withCut(history, compactHistory(history, { threshold, maxTurns }, tokensOf));

describe('compactHistory (contract/sessions.md#compaction)', () => {
  // proves service-2.9-33
  it('never parts a call from its result, keeps the last turn, and stays below the threshold where that is possible', () => {
    fc.assert(
      fc.property(
        anyHistory,
        fc.integer({ min: 1, max: 2000 }),
        fc.integer({ min: 1, max: 9 }),
        (history, threshold, maxTurns) => {
          const sent = compacted(history, threshold, maxTurns);
          expect(orphans(sent)).toEqual([]);
          expect(sent[0]?.role).toBe('user');
          const last = history.slice(turnStarts(history).at(-1));
          const first = history.length - sent.length;
          expect(sent.at(-last.length)).toBe(last[0]);
          for (const [index, message] of sent.entries()) {
            const kept = history[first + index];
            expect([kept, kept && collapseResult(kept)]).toContain(message);
          }
          if (sizeOf(sent) > threshold) expect(sent).toEqual(last.map(collapseResult));
        },
      ),
    );
  });

  // proves service-2.12-13
  it('leaves the instructions of a skill whole', () => {
    const text = `[succeeded] ${'Do it. '.repeat(200)}`;
    const loaded: ChatMessage = { role: 'tool', callId: 'c', name: 'load_skill', text };
    expect(collapseResult(loaded)).toBe(loaded);
    expect(collapseResult({ ...loaded, name: 'find_order' }).text.length).toBeLessThan(text.length);
  });

  // proves service-2.9-30
  it('changes nothing up to the threshold', () => {
    const history = [...turnOf(20, [[100]]), ...turnOf(20, [])];
    expect(compacted(history, sizeOf(history))).toBe(history);
  });

  // proves service-2.9-31
  it('makes the oldest results one line before any turn is left out', () => {
    const history = [...turnOf(5, [[200], [200]]), ...turnOf(5, [[200]])];
    const sent = compacted(history, sizeOf(history) - 50, 1);
    expect(sent).toHaveLength(history.length);
    expect(sent[2]).toMatchObject({ role: 'tool', origin: 'web' });
    expect(sent[2]?.text).toMatch(/^\[ok\] This result was \d+ characters long and is left out here to save room\.$/);
    expect(sent.slice(3)).toEqual(history.slice(3));
  });

  // proves service-2.9-32, service-8-18
  it('leaves out the turns before the last compactionMaxTurns before it touches those', () => {
    const turns = [1, 2, 3, 4].map(() => turnOf(50, [[100]]));
    const recent = turns.slice(2).flat();
    expect(compacted(turns.flat(), sizeOf(recent), 2)).toEqual(recent);
  });

  // proves service-2.9-32
  it('shortens the last compactionMaxTurns too when they alone are over the threshold', () => {
    const turns = [1, 2, 3].map(() => turnOf(50, [[300]]));
    const last = turns[2] ?? [];
    expect(compacted(turns.flat(), sizeOf(last.map(collapseResult)), 2)).toEqual(last.map(collapseResult));
  });

  it('leaves a result alone that is shorter than the line in its place', () => {
    const history = turnOf(5, [[3]]);
    expect(compacted([...history, ...turnOf(5, [])], 1)).toEqual(expect.not.arrayContaining([history[2]]));
    expect(history.map(collapseResult)).toEqual(history);
  });

  it('keeps no word of a result, so that half of it cannot pass for the whole', () => {
    const [, , result] = turnOf(1, [[100]]);
    expect(result && collapseResult({ ...result, text: `[failed] ${words(100)}` }).text).not.toContain('door');
  });
});
