import type { Requirement } from '../requirement.ts';

const tables = 'test/spec/tables.test.ts';
const identity = 'test/integration/identity.test.ts';
const facts = 'test/unit/core/memory/extract-facts.test.ts';

/** The tables of `docs/contract`, and lists that stand on one page and in the code. */
export const tableRequirements: readonly Requirement[] = [
  {
    id: 'wire-11-01',
    tests: [
      {
        file: 'test/integration/openapi.test.ts',
        title: 'has the addresses that the contract lists, and no others (contract/addresses.md#paths)',
      },
    ],
  },
  {
    id: 'wire-11-02',
    tests: [
      { file: identity, title: 'is approved by that user alone: anonymous 401, another user 403' },
      { file: identity, title: 'is cancelled by that user alone, by connection and by turn' },
      { file: identity, title: 'is resumed on the hub by that user alone: null for all others' },
      { file: identity, title: 'is continued with Last-Event-ID by that user alone: 204 for all others' },
      {
        file: identity,
        title: 'over SSE is cancelled by that user alone, while whoever holds its actionId may answer',
      },
    ],
  },
  {
    id: 'wire-11-03',
    tests: [{ file: tables, title: 'name the codes of turns (contract/errors.md#codes-in-events)' }],
  },
  {
    id: 'wire-11-04',
    tests: [{ file: 'test/integration/spec-gaps-turn.test.ts', title: 'has the members that the contract lists' }],
  },
  {
    id: 'wire-11-05',
    tests: [
      {
        file: 'test/integration/receipts.test.ts',
        title: 'end a turn of server-sent events, whatever the reply says',
      },
    ],
  },
  {
    id: 'wire-11-06',
    tests: [
      {
        file: tables,
        title: 'name the origins of texts, and which are trusted by themselves (contract/provenance.md#origins)',
      },
    ],
  },
  { id: 'wire-11-07', tests: [{ file: tables, title: 'name the methods of the hub (contract/hub.md#methods)' }] },
  {
    id: 'wire-11-08',
    tests: [{ file: tables, title: 'name the bounds of folders (contract/document-folders.md#bad-files)' }],
  },
  {
    id: 'wire-11-09',
    tests: [
      { file: facts, title: 'is what the model adds, replaces and deletes, with its source' },
      { file: facts, title: 'is nothing for a kind that is none' },
      { file: facts, title: 'is nothing for a text that is too long' },
    ],
  },
  {
    id: 'wire-11-10',
    tests: [
      {
        file: 'test/unit/config/load-settings.test.ts',
        title: 'enforces provenance unless it is told not to (contract/provenance.md#enforcement)',
      },
    ],
  },
];
