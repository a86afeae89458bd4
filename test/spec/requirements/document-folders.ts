import type { Requirement } from '../requirement.ts';

const folders = 'test/integration/document-folders.test.ts';
const faults = 'test/integration/document-faults.test.ts';
const killed = {
  file: 'test/fault/kept-data.test.ts',
  title:
    'is whole: no turn, fact or document that was acknowledged is lost, and nothing comes back that was told to be erased',
};
const unit = (name: string): string => `test/unit/adapters/knowledge/${name}.test.ts`;

const plain = { file: folders, title: 'finds Markdown, text, HTML, PDF and Word documents by the words in them' };
const facts = {
  file: folders,
  title: 'takes title, address, language and further facts from front matter and from files beside a document',
};
const failsClosed = {
  file: folders,
  title: 'fails closed: facts that cannot be understood leave the document out, and say so',
};
const tenants = { file: folders, title: 'goes by the tenant too, and whoever has none sees what is for all' };
const narrowed = {
  file: folders,
  title: 'is narrowed by the source, each folder and the document: all of them must agree',
};
const scores = {
  file: folders,
  title:
    'are 10 for all of a question, less for a part of it, and have a threshold of 4, or of 2 for pairs of characters',
};
const badFiles = {
  file: faults,
  title: 'are named with their reason and left out, all others are served, and the server stays under 250 MiB',
};

const kept = 'test/integration/unused-indexes.test.ts';

/** The statements about folders of documents. */
export const documentFolderRequirements: readonly Requirement[] = [
  { id: 'service-2.11-50', tests: [plain] },
  {
    id: 'service-2.11-51',
    tests: [{ file: folders, title: 'reads only files that include names and exclude does not' }],
  },
  {
    id: 'service-2.11-52',
    tests: [
      plain,
      { file: unit('formats'), title: 'is cut at its headings, each with those above it' },
      {
        file: unit('formats'),
        title: 'are cut between paragraphs, then sentences, then words, and never through a character',
      },
    ],
  },
  { id: 'service-2.11-53', tests: [plain, facts] },
  {
    id: 'service-2.11-54',
    tests: [
      facts,
      { file: unit('facts'), title: 'are title, address, language, readers and metadata' },
      {
        file: unit('facts'),
        title: 'keep at most 20 texts of 500 characters, none of them a mapping, and no key of the language',
      },
    ],
  },
  { id: 'service-2.11-55', tests: [failsClosed] },
  { id: 'service-2.11-56', tests: [failsClosed] },
  { id: 'service-2.11-57', tests: [narrowed, tenants] },
  { id: 'service-2.11-58', tests: [tenants] },
  {
    id: 'service-2.11-59',
    tests: [{ file: folders, title: 'is decided before results are counted: what is hidden takes no place' }],
  },
  { id: 'service-2.11-60', tests: [scores] },
  { id: 'service-2.11-61', tests: [scores] },
  {
    id: 'service-2.11-97',
    tests: [
      {
        file: folders,
        title: 'keep a question that most words of a single document answer, and drop one that has one of them',
      },
    ],
  },
  {
    id: 'service-2.11-62',
    tests: [{ file: folders, title: 'finds words in other forms, without accents, and in scripts without spaces' }],
  },
  {
    id: 'service-2.11-63',
    tests: [
      { file: folders, title: 'is looked through again: what is new, changed, renamed or gone is found so' },
      {
        file: 'test/unit/config/load-settings.test.ts',
        title: 'fills in every default of contract/knowledge.md',
      },
    ],
  },
  {
    id: 'service-2.11-64',
    tests: [
      {
        file: folders,
        title: 'takes a document from those whom new facts keep out, though its own file is the same',
      },
    ],
  },
  {
    id: 'service-2.11-65',
    tests: [{ file: folders, title: 'keeps its index when it cannot be read, says so, and recovers' }],
  },
  {
    id: 'service-2.11-66',
    tests: [
      killed,
      { file: folders, title: 'outlives a restart: what has not changed is not read again' },
      { file: faults, title: 'with %s parts written, loses none of them, and goes on' },
    ],
  },
  {
    id: 'service-2.11-67',
    tests: [{ file: folders, title: 'that is damaged %s is named, put aside and made anew' }],
  },
  {
    id: 'service-2.11-68',
    tests: [
      { file: folders, title: 'that cannot be written is a fault of the source, and no fault of the server' },
      {
        file: unit('index-thread'),
        title: 'that ends by itself rejects what it was asked, is told of, and begins again',
      },
    ],
  },
  {
    id: 'service-2.11-96',
    tests: [{ file: kept, title: 'is gone after a restart without its folder, and no other file is' }],
  },
  {
    id: 'service-2.11-69',
    tests: [{ file: unit('index-thread'), title: 'lets 200 questions wait and refuses the next one at once' }],
  },
  { id: 'service-2.11-70', tests: [badFiles] },
  {
    id: 'service-2.11-76',
    tests: [
      { file: 'test/integration/reader-watch.test.ts', title: 'ends for the work that it makes' },
      { file: 'test/integration/reader-watch.test.ts', title: 'waits for a busy machine, up to a limit' },
    ],
  },
  {
    id: 'service-2.11-77',
    tests: [
      { file: unit('index'), title: 'whose folder has gone cannot be opened, and makes no folder in its place' },
      { file: faults, title: 'whose folder has gone fails until it is back, and makes none in its place' },
    ],
  },
  {
    id: 'service-2.11-71',
    tests: [
      {
        file: folders,
        title: 'follows links to files in it, as mounted configurations have them, and to nothing else',
      },
    ],
  },
  {
    id: 'service-2.11-72',
    tests: [{ file: unit('index'), title: 'gives the first 20,000 by name, and names the limit' }],
  },
  {
    id: 'service-2.11-73',
    tests: [
      {
        file: faults,
        title: 'has no environment and no right to write or to start programs, and ends with the server that is killed',
      },
    ],
  },
  {
    id: 'service-2.11-74',
    tests: [
      { file: faults, title: 'that cost too much are named once, and read when they have changed' },
      { file: unit('index'), title: 'tries files that cost too much once a process' },
    ],
  },
  { id: 'service-2.11-75', tests: [{ file: faults, title: 'is one for all folders' }] },
];
