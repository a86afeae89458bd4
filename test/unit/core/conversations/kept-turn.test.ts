import { describe, expect, it } from 'vitest';
import { readKeptTurn, turnContent, withSummaries } from '../../../../src/core/conversations/kept-turn.ts';
import type { HistorySummary, KeptMessage } from '../../../../src/core/request/kept-message.ts';

const said = (text: string): KeptMessage => ({ message: { role: 'user', text }, at: 1 });
const summary = (text: string): HistorySummary => ({ text, origins: ['user'] });
const shown = (messages: readonly KeptMessage[]) =>
  messages.map(({ message, before }) => (before === undefined ? message.text : `(${before.text}) ${message.text}`));

const turn = (text: string) => ({ messages: [said(text), said(`${text}!`)] });

describe('what a kept conversation holds of a summary (contract/sessions.md#summaries)', () => {
  // proves service-2.9-68
  it('stands before the message that it stood before', () => {
    const summed = { back: 2, summary: summary('of a') };
    expect(shown(withSummaries([turn('a'), turn('b'), { ...turn('c'), summed }]))).toEqual([
      ...['a', 'a!', '(of a) b', 'b!', 'c', 'c!'],
    ]);
  });

  it('is the last one alone, which holds what those before it said', () => {
    const turns = [
      turn('a'),
      { ...turn('b'), summed: { back: 0, summary: summary('of a') } },
      { ...turn('c'), summed: { back: 0, summary: summary('of a and b') } },
    ];
    expect(shown(withSummaries(turns))).toEqual(['a', 'a!', 'b', 'b!', '(of a and b) c', 'c!']);
  });

  it('stands before the first message once those it stood before are not kept any more', () => {
    const summed = { back: 4, summary: summary('of a') };
    expect(shown(withSummaries([{ ...turn('c'), summed }, turn('d')]))).toEqual(['(of a) c', 'c!', 'd', 'd!']);
  });

  it('is read as it was written, with its origins', () => {
    const summed = { back: 2, summary: { text: 'Looked up.', origins: ['user', 'action'] as const } };
    expect(readKeptTurn(turnContent({ ...turn('a'), summed }))).toEqual({ ...turn('a'), summed });
  });

  it.each([
    ['has none', undefined],
    ['has one of another form', { back: 'two', summary: { text: 'x', origins: [] } }],
    ['has one without origins', { back: 2, summary: { text: 'x' } }],
  ])('is nothing where the stored turn %s', (_title, summed) => {
    const text = JSON.stringify({ version: 1, ...turn('a'), summed });
    expect(readKeptTurn(text)).toEqual(turn('a'));
  });
});
