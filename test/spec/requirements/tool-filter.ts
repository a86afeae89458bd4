import type { Requirement } from '../requirement.ts';

const loadSettings = 'test/unit/config/load-settings.test.ts';
const filter = 'test/unit/core/tool-filter/tool-filter.test.ts';
const vectors = 'test/unit/core/tool-filter/tool-vectors.test.ts';
const quality = 'test/unit/core/tool-filter/choice-quality.test.ts';
const turns = 'test/unit/core/turn/tools-of-turn.test.ts';
const server = 'test/integration/tool-filter.test.ts';
const reload = 'test/integration/reload.test.ts';

/** The statements of `docs/contract/tool-filter.md`. */
export const toolFilterRequirements: readonly Requirement[] = [
  {
    id: 'service-11-01',
    tests: [{ file: loadSettings, title: 'fills in every default of contract/tool-filter.md, and warms nothing up' }],
  },
  {
    id: 'service-11-02',
    tests: [
      { file: turns, title: 'are all of them without a filter, in every round with the same array' },
      { file: server, title: 'sends the model all of them unless enableToolFiltering is on' },
    ],
  },
  { id: 'service-11-03', tests: [{ file: reload, title: 'chooses tools from now on, or no more' }] },
  {
    id: 'service-11-04',
    tests: [
      {
        file: turns,
        title: 'are all of them where there are no more than toolFilterMaxTools, and find_tools is not offered',
      },
      {
        file: filter,
        title:
          'applies to a toolbox with more tools than toolFilterMaxTools, not counting those of the server and the page',
      },
    ],
  },
  {
    id: 'service-11-05',
    tests: [
      {
        file: filter,
        title: 'keeps those that share words with the message, at most toolFilterMaxTools, in their order',
      },
      { file: filter, title: 'finds tools by their examples, by forms of a word and in scripts without spaces' },
      { file: server, title: 'sends 20 and find_tools with it, or as many as toolFilterMaxTools says' },
    ],
  },
  {
    id: 'service-11-06',
    tests: [
      { file: quality, title: 'have the tool that a question is for among 20, at least 85 times in 100' },
      { file: quality, title: 'are found more often than without examples' },
    ],
  },
  {
    id: 'service-11-07',
    tests: [
      { file: turns, title: 'are those that fit the message, the pages, and find_tools' },
      {
        file: filter,
        title: 'declares the same set with the same array, tools of the server and of the page included',
      },
    ],
  },
  {
    id: 'service-11-08',
    tests: [
      { file: turns, title: 'stay when the conversation has used them' },
      { file: filter, title: 'keeps tools that the conversation has used, beside toolFilterMaxTools' },
    ],
  },
  {
    id: 'service-11-09',
    tests: [
      {
        file: filter,
        title: 'goes by what was said before where the message says little, and by the message where it says more',
      },
      { file: server, title: 'keeps what a follow-up needs' },
    ],
  },
  {
    id: 'service-11-10',
    tests: [
      { file: turns, title: 'are the same in the process that goes on with a turn, whatever else would fit by then' },
    ],
  },
  {
    id: 'service-11-11',
    tests: [
      { file: turns, title: 'may be called although they were not sent' },
      { file: turns, title: 'are not all named to a model that makes a name up' },
    ],
  },
  {
    id: 'service-11-12',
    tests: [
      { file: filter, title: 'takes a query of words alone' },
      {
        file: server,
        title: 'lets the model find others in the middle of a turn and call them, and keeps them for the conversation',
      },
    ],
  },
  {
    id: 'service-11-13',
    tests: [
      { file: filter, title: 'names tools that fit with their descriptions, and at most eight' },
      {
        file: turns,
        title: 'are found in a round, and can be called from the next one on, later in the conversation too',
      },
    ],
  },
  { id: 'service-11-14', tests: [{ file: turns, title: 'are not found in another tenant’s tools' }] },
  {
    id: 'service-11-15',
    tests: [
      { file: vectors, title: 'are found by what they mean, where no word is shared' },
      {
        file: vectors,
        title: 'are near from toolFilterMinScore on, and those that share words are chosen all the same',
      },
      { file: vectors, title: 'joins both kinds of ranks' },
    ],
  },
  {
    id: 'service-11-16',
    tests: [
      { file: vectors, title: 'are embedded once, with their examples; a new one alone later' },
      {
        file: server,
        title: 'finds tools by what they mean with embeddingGenerator, and asks for the vector of each once',
      },
    ],
  },
  {
    id: 'service-11-17',
    tests: [
      {
        file: vectors,
        title: 'keep one message waiting for half a second at most while vectors are made, and no other one',
      },
      { file: vectors, title: 'are chosen by words alone when the model fails, with one warning for all messages' },
      {
        file: vectors,
        title: 'are chosen by words alone when the model does not answer a question, with one warning',
      },
    ],
  },
];
