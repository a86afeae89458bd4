import { describe, expect, it } from 'vitest';
import { citationFaults, type CitedDocuments } from '../../../../scripts/contract/citations.ts';

describe('citationFaults, so that the gate really closes', () => {
  const known: CitedDocuments = {
    anchors: new Map([['hub.md', new Set(['methods'])]]),
    ids: new Set(['wire-3-01']),
    documents: new Set(['hub.md', 'configuration.md']),
  };

  it.each([
    'Stops the turn (contract/hub.md).',
    'Stops the turn (contract/hub.md#methods, `NewConversation`).',
    'Proves wire-3-01 and nothing else.',
    '[Configuration](../guides/configuration.md) has 3 parts.',
  ])('finds nothing wrong with %j', (text) => {
    expect(citationFaults(text, known)).toEqual([]);
  });

  it.each([
    [
      'a page that is not there',
      'See contract/bus.md.',
      ['1: contract/bus.md: there is no such page', '1: bus.md: the project has no such document'],
    ],
    [
      'a section that is not there',
      'See contract/hub.md#lines.',
      ['1: contract/hub.md#lines: the page has no such section'],
    ],
    ['a statement that nobody makes', '\nwire-3-99', ['2: wire-3-99: no page states it']],
    ['a document that is elsewhere', 'See wire.md.', ['1: wire.md: the project has no such document']],
    [
      'a section by its number',
      '(configuration.md 1.5)',
      ['1: configuration.md 1.5: sections are cited by their name, as in contract/hub.md#methods'],
    ],
  ])('finds %s', (_title, text, faults) => {
    expect(citationFaults(text, known)).toEqual(faults);
  });
});
