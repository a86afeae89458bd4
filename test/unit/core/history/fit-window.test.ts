import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokenxCounter } from '../../../../src/adapters/tokens/tokenx-counter.ts';
import { fitWindow } from '../../../../src/core/history/fit-window.ts';
import { turnStarts } from '../../../../src/core/history/cut.ts';
import { TokenEstimates } from '../../../../src/core/history/token-estimates.ts';
import type { ChatMessage, ToolDeclaration } from '../../../../src/core/ports/chat-model.ts';
import { ContextExceeded } from '../../../../src/core/ports/context-exceeded.ts';
import { anyHistory, orphans, turnOf, words } from '../../../support/histories.ts';

const model = 'test';

function fitted(
  messages: readonly ChatMessage[],
  contextWindow: number,
  more: { maxOutputTokens?: number; instructions?: string; tools?: readonly ToolDeclaration[]; factor?: number } = {},
) {
  const estimates = new TokenEstimates(tokenxCounter);
  if (more.factor !== undefined) estimates.learn(model, 1000, 1000 * more.factor);
  const { maxOutputTokens = 0, instructions = '', tools = [] } = more;
  return fitWindow({ messages, instructions, tools }, { contextWindow, maxOutputTokens }, { estimates, model });
}

describe('fitWindow (contract/models.md#the-context-window)', () => {
  // proves configuration-3-64
  it('never parts a call from its result, keeps the newest turn and what is unread, and fits or refuses', () => {
    fc.assert(
      fc.property(anyHistory, fc.integer({ min: 20, max: 4000 }), (history, contextWindow) => {
        const newest = history.slice(turnStarts(history).at(-1));
        const unread = history.slice(history.findLastIndex(({ role }) => role !== 'tool') + 1);
        try {
          const { messages, estimated = 0 } = fitted(history, contextWindow);
          expect(orphans(messages)).toEqual([]);
          expect(messages.at(-newest.length)).toBe(newest[0]);
          if (unread.length > 0) expect(messages.slice(-unread.length)).toEqual(unread);
          expect(estimated).toBeLessThanOrEqual(contextWindow);
        } catch (error) {
          expect(error).toBeInstanceOf(ContextExceeded);
          expect(() => fitted(newest, contextWindow)).toThrow(ContextExceeded);
        }
      }),
    );
  });

  it('sends the same messages as they are, uncounted, where they are surely small enough', () => {
    const messages = turnOf(5, [], { isOpen: true });
    expect(fitted(messages, 1000)).toEqual({ messages, estimated: undefined });
    expect(fitted(messages, 1000).messages).toBe(messages);
  });

  const long = [...turnOf(150, []), ...turnOf(150, []), ...turnOf(20, [], { isOpen: true })];
  const tool = { name: 'look_up', description: words(150), parameters: {} };

  it.each<[string, Parameters<typeof fitted>[2], number]>([
    ['messages alone', {}, 5],
    // proves configuration-3-61
    ['the answer', { maxOutputTokens: 150 }, 3],
    // proves configuration-3-61
    ['the instructions', { instructions: words(150) }, 3],
    // proves configuration-3-61
    ['the tools', { tools: [tool] }, 3],
    ['a model that counts more', { factor: 1.5 }, 3],
  ])('counts %s', (_what, more, left) => {
    expect(fitted(long, 450, more).messages).toHaveLength(left);
  });

  // proves configuration-3-61
  it('keeps an eighth of the window free for the answer where maxOutputTokens is left out', () => {
    const estimates = new TokenEstimates(tokenxCounter);
    const request = { messages: long, instructions: '', tools: [] };
    expect(fitWindow(request, { contextWindow: 430 }, { estimates, model }).messages).toHaveLength(3);
    expect(fitted(long, 430, { maxOutputTokens: 1 }).messages).toHaveLength(5);
  });

  // proves configuration-3-62
  it('makes older results of the same turn one line, and never those that the model has not read', () => {
    const messages = turnOf(5, [[200], [200], [200]], { isOpen: true });
    const sent = fitted(messages, 350).messages;
    expect(sent).toHaveLength(messages.length);
    expect(sent.filter((message, index) => message !== messages[index]).map(({ role }) => role)).toEqual([
      'tool',
      'tool',
    ]);
    expect(sent.at(-1)).toBe(messages.at(-1));
  });

  // proves configuration-3-61
  it('counts a picture of the message', () => {
    const image = { name: 'a.png', mediaType: 'image/png', data: 'AAAA' } as const;
    expect(() => fitted([{ role: 'user', text: 'what?', images: [image] }], 1500)).toThrow(ContextExceeded);
  });
});
