import { describe, expect, it } from 'vitest';
import { rankFacts } from '../../../../src/core/memory/rank-facts.ts';
import { fact } from './facts.ts';

const texts = [
  'The warehouse is in Gdańsk.',
  'Deliveries go to the back door.',
  'Die Lieferadresse ist Hamburg.',
  '私は魚が好きです。',
  'Account number 4711 belongs to the northern branch.',
];
const facts = texts.map((text) => fact(text));
const found = (question: string, least?: number) => rankFacts(facts, question, least).map(({ text }) => text);

describe('facts that share words with a message (contract/memory.md#prompt)', () => {
  it.each([
    ['Where is our warehouse?', [texts[0]]],
    ['Which door takes the delivery?', [texts[1]]],
    ['Wohin gehen die Lieferadressen?', [texts[2]]],
    ['gdansk', [texts[0]]],
    ['魚', []],
    ['魚が食べたい', [texts[3]]],
    ['What is 4711?', [texts[4]]],
    ['Is it in the?', []],
    ['', []],
  ])('are found for %j', (question, expected) => {
    expect(found(question)).toEqual(expected);
  });

  it('come first, and as many others as are wanted in any case', () => {
    expect(found('the back door', 3)).toEqual([texts[1], texts[0], texts[2]]);
  });

  it('come in the order of how much they say of it', () => {
    const two = [fact('Likes green tea with milk in the morning.'), fact('Green tea.'), fact('Milk.')];
    expect(rankFacts(two, 'green tea').map(({ text }) => text)).toEqual([two[1]?.text, two[0]?.text]);
  });
});
