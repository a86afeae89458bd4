import { describe, expect, it } from 'vitest';
import { ShortTextWords } from '../../../../src/adapters/shared/words/short-text-words.ts';
import { rankFacts } from '../../../../src/core/memory/rank-facts.ts';
import { fact } from './facts.ts';

const texts = [
  'The warehouse is in Gdańsk.',
  'Deliveries go to the back door.',
  'Die Lieferadresse ist Hamburg.',
  '私は魚が好きです。',
  'Account number 4711 belongs to the northern branch.',
  'The cat of Ann is ill.',
  '대문은 파란색이다.',
];
const facts = texts.map((text) => fact(text));
const words = new ShortTextWords();
const found = (question: string) => rankFacts(facts, question, words).map(({ text }) => text);

describe('facts that share words with a message (contract/memory.md#prompt)', () => {
  // proves service-2.10-06
  it.each([
    ['Where is our warehouse?', [texts[0]]],
    ['Which door takes the delivery?', [texts[1]]],
    ['Wohin gehen die Lieferadressen?', [texts[2]]],
    ['gdansk', [texts[0]]],
    ['魚', [texts[3]]],
    ['문', [texts[6]]],
    ['My cat?', [texts[5]]],
    ['Wo liegt Gdańsk?', [texts[0]]],
    ['魚が食べたい', [texts[3]]],
    ['What is 4711?', [texts[4]]],
    ['Is it in the?', []],
    ['', []],
  ])('are found for %j', (question, expected) => {
    expect(found(question)).toEqual(expected);
  });

  it('come in the order of how much they say of it', () => {
    const two = [fact('Likes green tea with milk in the morning.'), fact('Green tea.'), fact('Milk.')];
    expect(rankFacts(two, 'green tea', words).map(({ text }) => text)).toEqual([two[1]?.text, two[0]?.text]);
  });
});
