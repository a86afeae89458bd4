import type { Requirement } from '../requirement.ts';

const vectors = 'test/integration/document-vectors.test.ts';
const faults = 'test/integration/document-vector-faults.test.ts';
const models = 'test/integration/models-embeddings.test.ts';
const server = 'test/integration/embeddings-server.test.ts';
const changed = 'test/integration/changed-embeddings.test.ts';
const shared = 'test/integration/shared-vectors.test.ts';
const waiting = 'test/integration/shared-vectors-waiting.test.ts';
const stored = 'test/unit/adapters/stores/passage-vectors.test.ts';
const rules = 'test/unit/config/embeddings-rules.test.ts';
const keywords = 'test/unit/core/knowledge/search-keywords.test.ts';

const failing = { file: faults, title: 'names %s in the log once, and words go on to find' };
const spoilt = { file: faults, title: 'leaves out a vector that %s, names it, and keeps the others' };
const wire = { file: models, title: 'speaks the wire of OpenAI, in batches, and counts each call with its tokens' };
const meant = {
  file: vectors,
  title: 'finds what means the same in other words, in the background, and says what each counts',
};

/** Documents by meaning: contract/models.md#embeddings, contract/document-folders.md#meaning and contract/knowledge.md#keywords. */
export const vectorRequirements: readonly Requirement[] = [
  {
    id: 'configuration-3-80',
    tests: [
      wire,
      { file: models, title: 'asks an Azure deployment with its key and version' },
      { file: models, title: 'uses the embeddings class of an installed LangChain package' },
      { file: models, title: "takes a plugin's embeddings, and tells questions from documents" },
    ],
  },
  {
    id: 'configuration-3-81',
    tests: [
      { file: rules, title: 'are told from models that answer: %s' },
      { file: rules, title: 'are not the demo model, nor fallbacks of models that answer' },
    ],
  },
  {
    id: 'configuration-3-82',
    tests: [
      { file: models, title: 'refuses %s when it is loaded' },
      { file: models, title: "refuses a plugin's model that has no embeddings" },
    ],
  },
  {
    id: 'configuration-3-83',
    tests: [
      wire,
      { file: models, title: 'cuts a text that no model takes whole' },
      { file: models, title: 'tries a call again that failed for the moment, and no other' },
      {
        file: models,
        title: 'has no more calls in flight than concurrency allows, and leaves the queue with its signal',
      },
      { file: faults, title: 'gives up a call that hangs after its timeout' },
    ],
  },
  {
    id: 'configuration-3-84',
    tests: [spoilt, { file: models, title: 'gives vectors of length 1, from numbers and from base64 alike' }],
  },
  {
    id: 'service-2.11-80',
    tests: [
      {
        file: keywords,
        title: 'are asked for in the languages of the documents, with the question as data, and go to folders alone',
      },
      { file: keywords, title: 'are at most nine, and short' },
    ],
  },
  {
    id: 'service-2.11-81',
    tests: [
      { file: keywords, title: 'are not waited for longer than 1.5 s, and other sources do not wait at all' },
      { file: keywords, title: 'are none when the model answers with %s' },
      { file: keywords, title: 'are none when the model fails, which is logged' },
    ],
  },
  {
    id: 'service-2.11-82',
    tests: [
      { file: keywords, title: 'are not asked for when they are switched off, or when no source wants them' },
      { file: vectors, title: 'are not wanted where the meaning counts' },
    ],
  },
  {
    id: 'service-2.11-83',
    tests: [{ file: vectors, title: 'find what shares no word with the question, and need not all be there' }],
  },
  {
    id: 'service-2.11-84',
    tests: [
      {
        file: vectors,
        title: 'joins both rankings: what is found by words and by meaning comes before what one of them finds',
      },
    ],
  },
  { id: 'service-2.11-85', tests: [{ file: vectors, title: 'finds nothing for a question that is near in neither' }] },
  {
    id: 'service-2.11-86',
    tests: [
      meant,
      {
        file: vectors,
        title: 'is worth the threshold at minCosine, and 10 at a cosine of 1; the better of words and meaning counts',
      },
    ],
  },
  {
    id: 'service-2.11-87',
    tests: [{ file: vectors, title: 'looks at what the caller may read, and at nothing else' }],
  },
  {
    id: 'service-2.11-88',
    tests: [
      {
        file: faults,
        title: 'answers a question by words alone when its vector takes half of the time of a search',
      },
    ],
  },
  {
    id: 'service-2.11-89',
    tests: [
      meant,
      {
        file: server,
        title: 'answers with documents that share no word with the message',
      },
    ],
  },
  {
    id: 'service-2.11-99',
    tests: [
      {
        file: server,
        title:
          'takes the model that embeddings of a source names in place of embeddingGenerator, for this source alone',
      },
    ],
  },
  {
    id: 'service-2.11-90',
    tests: [
      { file: vectors, title: 'outlive restarts: no text is sent twice, whatever file it stands in' },
      { file: vectors, title: 'of the same model at another address, or with another key, stay' },
    ],
  },
  {
    id: 'service-2.11-91',
    tests: [{ file: vectors, title: 'of another model replace them in the background' }],
  },
  {
    id: 'service-2.11-92',
    tests: [
      failing,
      { file: faults, title: 'asks a model again that gave none, and says when it gives them' },
      { file: server, title: 'is degraded while the model gives no vectors' },
    ],
  },
  { id: 'service-2.11-93', tests: [spoilt] },
  {
    id: 'service-2.11-94',
    tests: [
      { file: changed, title: 'is asked for questions, and finds by its vectors, until all texts have new ones' },
      {
        file: changed,
        title: 'is asked nothing more once no entry is that model: words count, and new vectors as they come',
      },
      { file: changed, title: 'goes on in the next process, as long as its entry is there' },
    ],
  },
  {
    id: 'service-2.11-95',
    tests: [
      { file: changed, title: 'is replaced at once: questions that are under way still find' },
      { file: changed, title: 'sends no text twice, though the process ends in between' },
    ],
  },
  {
    id: 'configuration-5-88',
    tests: [
      {
        file: shared,
        title: 'are there for every replica and after every start, also while the model is away, and find the same',
      },
      { file: stored, title: 'are given back as they were kept, for their source and their model alone' },
      {
        file: 'test/integration/postgres.test.ts',
        title: 'has the vectors of documents from the database when its own folder is empty',
      },
    ],
  },
  {
    id: 'configuration-5-89',
    tests: [
      {
        file: shared,
        title: 'are made once by replicas that index at the same time, and by another one where the first one fails',
      },
      { file: stored, title: 'are made by one of many that want them, until it lets go of them or takes too long' },
      { file: waiting, title: 'are made by one of those that wait for it, when it takes too long' },
      { file: waiting, title: 'hold nothing else up: what is made beside them is kept at once' },
      { file: waiting, title: 'are waited for no longer once the folder has another model' },
    ],
  },
  {
    id: 'configuration-5-90',
    tests: [
      { file: shared, title: 'are made by the model while the database is away, and are kept once it is back' },
      { file: shared, title: 'are made by the model when the database answers too late' },
    ],
  },
  {
    id: 'configuration-5-91',
    tests: [
      { file: stored, title: 'go when nobody has used them for a while, and stay while they are in use' },
      {
        file: shared,
        title: 'are there for every replica and after every start, also while the model is away, and find the same',
      },
      {
        file: 'test/unit/app/knowledge/purge-vectors.test.ts',
        title: 'an hour after the start and once a day, when nobody has used them for 14 days',
      },
      {
        file: 'test/unit/adapters/knowledge/vectors-in-use.test.ts',
        title:
          'vectors are said to be in use every other day at the latest, however seldom the folder is looked at again (contract/document-folders.md#vectors-in-the-database)',
      },
    ],
  },
  {
    id: 'service-2.11-98',
    tests: [
      { file: changed, title: 'takes another embeddingGenerator, and finds by the earlier one until that is ready' },
      { file: changed, title: 'takes one where there was none, and none where there was one' },
      { file: changed, title: 'asks an entry nothing more that is another model now' },
    ],
  },
];
