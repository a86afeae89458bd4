import type { Requirement } from '../requirement.ts';

const specGapsStream = 'test/integration/spec-gaps-stream.test.ts';
const planCard = 'test/unit/widget/cards/plan-card.test.ts';
const checkCard = 'test/unit/core/cards/check-card.test.ts';
const planBlocks = 'test/unit/widget/markdown/plan-blocks.test.ts';
const links = 'test/browser/links.test.ts';
const specGapsTurn = 'test/integration/spec-gaps-turn.test.ts';

/** The statements whose ids begin with `wire-7`. */
export const wireSection7: readonly Requirement[] = [
  {
    id: 'wire-7-01',
    tests: [
      { file: specGapsStream, title: 'keeps every element of the subset' },
      { file: planCard, title: 'Chart.Bar has a picture and its numbers in a table' },
      { file: planCard, title: 'draws columns and containers with what they hold' },
    ],
  },
  {
    id: 'wire-7-02',
    tests: [
      { file: checkCard, title: 'keeps the known elements and drops the others, at any depth' },
      { file: specGapsStream, title: 'drops selectAction, which could carry an address past the rules' },
      { file: specGapsStream, title: 'drops backgroundImage, which could carry an address past the rules' },
    ],
  },
  {
    id: 'wire-7-03',
    tests: [
      { file: checkCard, title: 'refuses more than 64 KiB' },
      { file: checkCard, title: 'refuses more than 8 levels' },
      { file: checkCard, title: 'refuses more than 300 elements' },
    ],
  },
  {
    id: 'wire-7-04',
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
    tests: [
      { file: planBlocks, title: 'an image is its alternative text' },
      { file: planBlocks, title: 'takes nothing that runs, loads or disguises itself from %j' },
      { file: planBlocks, title: 'shows HTML as the text it is' },
      { file: links, title: 'and images load nothing by themselves, whatever they are made of' },
    ],
  },
  {
    id: 'wire-7-06',
    tests: [
      { file: checkCard, title: 'OpenUrl https://example.com' },
      { file: checkCard, title: 'OpenUrl mailto:a@example.com' },
      { file: checkCard, title: 'OpenUrl /orders' },
      { file: checkCard, title: 'OpenUrl javascript:alert(1)' },
    ],
  },
  {
    id: 'wire-7-07',
    tests: [
      {
        file: specGapsTurn,
        title: 'without words but with a submitted card is a turn: the card reaches the model as data',
      },
    ],
  },
  {
    id: 'wire-7-08',
    tests: [{ file: specGapsTurn, title: 'with a submitted card over 16 KiB is refused' }],
  },
  {
    id: 'wire-7-09',
    tests: [{ file: specGapsTurn, title: 'that submits a card skips no confirmation and no role' }],
  },
  {
    id: 'wire-7-10',
    tests: [
      {
        file: checkCard,
        title: 'turns links to hosts that are not listed into their titles, wherever they stand',
      },
      {
        file: links,
        title: 'of a card have the host in view too, and are text where the host is not listed (contract/cards.md)',
      },
    ],
  },
  {
    id: 'wire-7-11',
    tests: [
      {
        file: links,
        title: 'of a card have the host in view too, and are text where the host is not listed (contract/cards.md)',
      },
    ],
  },
];
