import type { Requirement } from '../requirement.ts';

const specGapsStream = 'test/integration/spec-gaps-stream.test.ts';
const planCard = 'test/unit/widget/cards/plan-card.test.ts';
const checkCard = 'test/unit/core/cards/check-card.test.ts';
const planBlocks = 'test/unit/widget/markdown/plan-blocks.test.ts';
const specGapsTurn = 'test/integration/spec-gaps-turn.test.ts';

/** wire.md 7. */
export const wireSection7: readonly Requirement[] = [
  {
    id: 'wire-7-01',
    source: 'wire.md 7',
    says: 'A card is a subset of Adaptive Cards 1.5, plus charts.',
    tests: [
      { file: specGapsStream, title: 'keeps every element of the subset' },
      { file: planCard, title: 'Chart.Bar has a picture and its numbers in a table' },
      { file: planCard, title: 'draws columns and containers with what they hold' },
    ],
  },
  {
    id: 'wire-7-02',
    source: 'wire.md 7',
    says: 'The server drops what it does not know.',
    tests: [
      { file: checkCard, title: 'keeps the known elements and drops the others, at any depth' },
      { file: specGapsStream, title: 'drops selectAction, which could carry an address past the rules' },
      { file: specGapsStream, title: 'drops backgroundImage, which could carry an address past the rules' },
    ],
  },
  {
    id: 'wire-7-03',
    source: 'wire.md 7',
    says: 'A card has at most 64 KiB, depth 8 and 300 nodes.',
    tests: [
      { file: checkCard, title: 'refuses more than 64 KiB' },
      { file: checkCard, title: 'refuses more than 8 levels' },
      { file: checkCard, title: 'refuses more than 300 elements' },
    ],
  },
  {
    id: 'wire-7-04',
    source: 'wire.md 7',
    says: 'Images load from the same origin, cards.imageHosts, or data: png, jpeg, gif, webp.',
    tests: [
      { file: checkCard, title: 'an image that is relative' },
      { file: checkCard, title: 'an image that is a listed host' },
      { file: checkCard, title: 'an image that is another host' },
      { file: checkCard, title: 'an image that is data: png' },
      { file: checkCard, title: 'an image that is data: svg' },
      { file: specGapsStream, title: 'takes an image host with its port, as cards.imageHosts may name it' },
    ],
  },
  {
    id: 'wire-7-05',
    source: 'wire.md 7',
    says: 'Markdown images never load by themselves.',
    tests: [
      { file: planBlocks, title: 'an image is its alternative text' },
      { file: planBlocks, title: 'takes nothing that runs, loads or disguises itself from %j' },
      { file: planBlocks, title: 'shows HTML as the text it is' },
    ],
  },
  {
    id: 'wire-7-06',
    source: 'wire.md 7',
    says: 'OpenUrl takes https, mailto and relative addresses.',
    tests: [
      { file: checkCard, title: 'OpenUrl https://example.com' },
      { file: checkCard, title: 'OpenUrl mailto:a@example.com' },
      { file: checkCard, title: 'OpenUrl /orders' },
      { file: checkCard, title: 'OpenUrl javascript:alert(1)' },
    ],
  },
  {
    id: 'wire-7-07',
    source: 'wire.md 7',
    says: 'A submit is a user turn with cardSubmit; text may be empty.',
    tests: [
      {
        file: specGapsTurn,
        title: 'without words but with a submitted card is a turn: the card reaches the model as data',
      },
    ],
  },
  {
    id: 'wire-7-08',
    source: 'wire.md 7',
    says: 'The data of a submit has at most 16 KiB.',
    tests: [{ file: specGapsTurn, title: 'with a submitted card over 16 KiB is refused' }],
  },
  {
    id: 'wire-7-09',
    source: 'wire.md 7',
    says: 'A submit is untrusted input and skips no role and no confirmation.',
    tests: [{ file: specGapsTurn, title: 'that submits a card skips no confirmation and no role' }],
  },
];
