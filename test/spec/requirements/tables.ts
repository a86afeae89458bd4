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
      { file: identity, title: 'that was anonymous is not a user’s: 403, and null' },
      {
        file: 'test/integration/memory-requests.test.ts',
        title: 'of a signed-in user’s connection is that user’s',
      },
    ],
  },
  {
    id: 'wire-11-03',
    tests: [{ file: tables, title: 'name the codes of turns (contract/errors.md#codes-in-events)' }],
  },
  {
    id: 'wire-11-04',
    tests: [
      { file: 'test/integration/spec-gaps-turn.test.ts', title: 'has the members that the contract lists' },
      { file: 'test/integration/budgets.test.ts', title: 'hold over a restart, and are told to whoever connects' },
    ],
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
      {
        file: 'test/unit/core/prompt/provenance-of-messages.test.ts',
        title: 'names documents that are not trusted, those of the web as such, and the page',
      },
      {
        file: 'test/unit/core/prompt/provenance-of-messages.test.ts',
        title: 'knows facts of a user from those of all anonymous callers together',
      },
      {
        file: 'test/unit/core/agents/influences-of-agents.test.ts',
        title: 'stays behind the reply of a remote agent that was told of it',
      },
    ],
  },
  { id: 'wire-11-07', tests: [{ file: tables, title: 'name the methods of the hub (contract/hub.md#methods)' }] },
  {
    id: 'wire-11-08',
    tests: [
      { file: tables, title: 'name the bounds of folders (contract/document-folders.md#bad-files)' },
      {
        file: 'test/unit/adapters/knowledge/index.test.ts',
        title: 'gives the first 20,000 by name, and names the limit',
      },
    ],
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
    id: 'wire-11-11',
    tests: [
      {
        file: 'test/unit/core/knowledge/readable-sources.test.ts',
        title: 'are all of those that were kept before access was kept with them',
      },
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
