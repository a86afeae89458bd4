import type { Requirement } from '../requirement.ts';

const loadSettings = 'test/unit/config/load-settings.test.ts';
const knowledge = 'test/integration/knowledge.test.ts';
const citations = 'test/integration/kept-citations.test.ts';
const trust = 'test/integration/untrusted-documents.test.ts';
const served = 'test/integration/served-documents.test.ts';
const durable = 'test/integration/knowledge-restart.test.ts';

/** The statements of `docs/contract/knowledge.md`. */
export const knowledgeRequirements: readonly Requirement[] = [
  { id: 'service-2.11-41', tests: [{ file: loadSettings, title: 'fills in every default of contract/knowledge.md' }] },
  {
    id: 'service-2.11-42',
    tests: [{ file: 'test/integration/document-warnings.test.ts', title: 'are what helper check warns of: %s' }],
  },
  { id: 'service-2.11-43', tests: [{ file: knowledge, title: 'must reach %s' }] },
  {
    id: 'service-2.11-44',
    tests: [
      {
        file: loadSettings,
        title: 'refuses a ragSystemPromptTemplate without its place for documents (contract/knowledge.md#prompt)',
      },
    ],
  },
  {
    id: 'service-2.11-45',
    tests: [{ file: served, title: 'says that useRag is off, with a server and without one' }],
  },
  {
    id: 'service-2.11-01',
    tests: [
      { file: knowledge, title: 'are asked for with a signed request that says what was asked, by whom and where' },
    ],
  },
  {
    id: 'extending-2-11',
    tests: [{ file: knowledge, title: 'are asked for where its manifest has the hook search' }],
  },
  {
    id: 'extending-1-22',
    tests: [
      { file: knowledge, title: 'stand beside those of other sources, merged by place and not by score' },
      { file: knowledge, title: 'keep the server from starting with %s' },
    ],
  },
  {
    id: 'service-2.11-02',
    tests: [
      { file: knowledge, title: 'are not waited for longer than its timeout' },
      { file: loadSettings, title: 'fills in every default of contract/knowledge.md' },
    ],
  },
  {
    id: 'service-2.11-03',
    tests: [
      { file: knowledge, title: 'are left out after %s, and the turn goes on' },
      { file: knowledge, title: 'are left out when the service hangs up' },
      { file: knowledge, title: 'are left out with its exception' },
    ],
  },
  { id: 'service-2.11-40', tests: [{ file: knowledge, title: 'are left out after %s, and the turn goes on' }] },
  { id: 'service-2.11-04', tests: [{ file: knowledge, title: 'keep the server from starting with %s' }] },
  {
    id: 'service-2.11-05',
    tests: [{ file: knowledge, title: 'keep no address that a browser must not follow' }],
  },
  {
    id: 'service-2.11-06',
    tests: [{ file: knowledge, title: 'tell a search what was said before, but not what came with a snapshot' }],
  },
  { id: 'service-2.11-07', tests: [{ file: knowledge, title: 'must reach %s' }] },
  { id: 'service-2.11-08', tests: [{ file: knowledge, title: 'must reach %s' }] },
  {
    id: 'service-2.11-09',
    tests: [
      {
        file: 'test/unit/core/knowledge/find-documents.test.ts',
        title: 'warns once of a source whose scores need a threshold',
      },
      {
        file: 'test/unit/core/knowledge/find-documents.test.ts',
        title: 'warns of no source where a threshold is set, by ragMinScore or by the source',
      },
    ],
  },
  {
    id: 'service-2.11-10',
    tests: [
      { file: knowledge, title: 'stand beside those of other sources, merged by place and not by score' },
      { file: 'test/unit/core/knowledge/find-documents.test.ts', title: 'puts first what several sources found' },
    ],
  },
  { id: 'service-2.11-11', tests: [{ file: knowledge, title: 'keep the best first, and at most ragResultCount' }] },
  {
    id: 'service-2.11-12',
    tests: [
      {
        file: knowledge,
        title: 'reach the model as numbered data, in the words of the template, and for one message alone',
      },
    ],
  },
  { id: 'service-2.11-13', tests: [{ file: knowledge, title: 'end nothing of the prompt that they stand in' }] },
  {
    id: 'service-2.11-14',
    tests: [
      {
        file: knowledge,
        title: 'reach the model as numbered data, in the words of the template, and for one message alone',
      },
    ],
  },
  { id: 'service-2.11-15', tests: [{ file: durable, title: 'has the documents that it began with' }] },
  {
    id: 'service-2.11-16',
    tests: [{ file: knowledge, title: 'a source with requiredRoles is not even asked for anybody else' }],
  },
  {
    id: 'service-2.11-17',
    tests: [
      { file: knowledge, title: 'a document with requiredRoles reaches neither model nor client of anybody else' },
    ],
  },
  {
    id: 'service-2.11-18',
    tests: [
      {
        file: knowledge,
        title: 'tell the documents that the reply cites, with what a client needs, just before the end',
      },
      { file: knowledge, title: 'are not sent without showRagSources' },
    ],
  },
  {
    id: 'service-2.11-19',
    tests: [
      {
        file: knowledge,
        title: 'tell the documents that the reply cites, with what a client needs, just before the end',
      },
      { file: knowledge, title: 'are %s' },
    ],
  },
  { id: 'service-2.11-20', tests: [{ file: knowledge, title: 'are %s' }] },
  {
    id: 'service-2.11-21',
    tests: [
      {
        file: 'test/unit/core/knowledge/find-documents.test.ts',
        title: 'gives a document the same id whenever it is found',
      },
    ],
  },
  {
    id: 'service-2.11-23',
    tests: [{ file: served, title: 'is read in the background, and answers with a citation once it is' }],
  },
  {
    id: 'service-2.11-24',
    tests: [
      { file: served, title: 'is read in the background, and answers with a citation once it is' },
      { file: served, title: 'is degraded on /readyz while it cannot be read, and the rest goes on' },
      {
        file: knowledge,
        title: 'have a service that is degraded on /readyz while it is left alone, and answers go on',
      },
    ],
  },
  { id: 'service-2.11-25', tests: [{ file: served, title: 'lists sources, counts and files that are left out' }] },
  {
    id: 'service-2.11-28',
    tests: [{ file: trust, title: 'asks its user whatever the rules say, and does not offer not to ask again' }],
  },
  {
    id: 'service-2.11-29',
    tests: [{ file: trust, title: 'goes by the rules when the documents are trusted, or there are none' }],
  },
  {
    id: 'service-2.11-27',
    tests: [
      { file: served, title: 'reads the folders itself where no server runs' },
      { file: served, title: 'leaves the folder to the server that has it' },
    ],
  },
  {
    id: 'service-2.11-46',
    tests: [
      {
        file: 'test/integration/knowledge.test.ts',
        title: 'are asked for by an anonymous user where the server knows users, and by nobody where it knows none',
      },
    ],
  },
  {
    id: 'service-2.11-26',
    tests: [
      { file: served, title: 'says what a question finds for whom, and why' },
      {
        file: 'test/integration/explained-sources.test.ts',
        title: 'says what each finds for whom, its threshold, and why the rest is left out',
      },
      {
        file: 'test/integration/explained-sources.test.ts',
        title: 'looks with the keywords of the small model, as a message does, and shows them%s',
      },
      {
        file: 'test/integration/explained-sources.test.ts',
        title:
          'looks without keywords in a folder whose vectors count, though another folder is looked through with them',
      },
      {
        file: 'test/integration/reload.test.ts',
        title: 'is asked for over a socket that nobody else may use, and that goes with the server',
      },
    ],
  },
  {
    id: 'service-2.11-30',
    tests: [
      { file: knowledge, title: 'say what kind each of them is, whoever found it' },
      { file: knowledge, title: 'are left out after %s, and the turn goes on' },
    ],
  },
  {
    id: 'service-2.11-31',
    tests: [
      { file: citations, title: 'of %s comes back with a snapshot for whoever has the role, and for nobody else' },
      { file: citations, title: 'goes by the roles of the request that puts it back, not by those of its connection' },
      {
        file: citations,
        title: 'of %s comes back with OpenConversation for whoever has the role, and for nobody else',
      },
      { file: citations, title: 'is not told again of a reply that had no other' },
      {
        file: citations,
        title: 'is left out of the events that Resume tells to the same user without the role, under the same numbers',
      },
      {
        file: 'test/unit/core/knowledge/readable-sources.test.ts',
        title: 'are those whose every restriction lets the reader in, tenants included: %s',
      },
    ],
  },
  {
    id: 'service-2.11-32',
    tests: [
      {
        file: citations,
        title: 'is kept from the model too, and numbers stand for what they stood for, when a waiting turn is put back',
      },
    ],
  },
  { id: 'service-2.11-22', tests: [{ file: knowledge, title: 'come back with a conversation that is put back' }] },
];
