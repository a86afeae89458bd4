import type { Requirement } from '../requirement.ts';

const loadSettings = 'test/unit/config/load-settings.test.ts';
const conversations = 'test/integration/conversations.test.ts';
const erasure = 'test/integration/erasure.test.ts';
const erasedFiles = 'test/integration/erased-files.test.ts';
const scrubbing = 'test/unit/adapters/stores/scrubbing.test.ts';
const store = 'test/unit/adapters/stores/conversation-store.test.ts';
const keep = 'test/unit/core/turn/keep-conversation.test.ts';
const title = 'test/unit/core/conversations/title-of.test.ts';
const purge = 'test/unit/app/purge-conversations.test.ts';
const browser = 'test/browser/conversations.test.ts';
const facts = 'test/browser/memory.test.ts';
const server = 'test/integration/spec-gaps-server.test.ts';
const pluginStore = 'test/unit/core/conversations/conversations-of-plugin.test.ts';
const plugin = 'test/integration/history-plugin.test.ts';
const kept = {
  file: 'test/fault/kept-data.test.ts',
  title:
    'is whole: no turn, fact or document that was acknowledged is lost, and nothing comes back that was told to be erased',
};

/** The statements of `docs/contract` about kept conversations, about the lists of the widget that show them, and about erasing users. */
export const conversationRequirements: readonly Requirement[] = [
  {
    id: 'service-2.9-82',
    tests: [
      {
        file: loadSettings,
        title:
          'fills in every default of contract/sessions.md#summaries, #history-of-the-provider and #kept-conversations',
      },
    ],
  },
  {
    id: 'service-2.9-70',
    tests: [
      { file: conversations, title: 'is listed for its signed-in user, the newest first, and read whole' },
      { file: conversations, title: 'is not there without the option, nor for anonymous callers with it' },
      { file: keep, title: 'is not stored over server-sent events, where each request is a conversation of its own' },
    ],
  },
  {
    id: 'service-2.9-71',
    tests: [
      { file: conversations, title: 'comes page by page, with a place that only the server reads' },
      { file: store, title: 'a conversation of the same moment stands on one page alone' },
    ],
  },
  {
    id: 'service-2.9-72',
    tests: [{ file: conversations, title: 'is listed for its signed-in user, the newest first, and read whole' }],
  },
  {
    id: 'service-2.9-73',
    tests: [
      { file: conversations, title: 'is 401 for an anonymous caller, and 404 for another user' },
      { file: conversations, title: 'is not there without the option, nor for anonymous callers with it' },
      { file: store, title: 'another owner neither reads, renames, deletes nor adds' },
    ],
  },
  {
    id: 'service-2.9-74',
    tests: [{ file: conversations, title: 'has another title after PATCH, which is bounded and shown on one line' }],
  },
  {
    id: 'service-2.9-75',
    tests: [
      kept,
      {
        file: conversations,
        title: 'that is deleted does not come back: not by what runs in it, a snapshot, or its id',
      },
      { file: store, title: 'what was deleted takes nothing more, until its id is forgotten' },
    ],
  },
  {
    id: 'service-2.9-76',
    tests: [
      kept,
      { file: erasure, title: 'has every turn that was told to be over' },
      { file: erasure, title: 'has the turn that waited for its user over the restart, once' },
      {
        file: store,
        title: 'a turn that is added again is there once, and what was said before it only where nothing else is',
      },
      { file: store, title: 'a copy of a turn takes its place, whichever of the two comes first' },
    ],
  },
  {
    id: 'service-2.9-77',
    tests: [
      {
        file: keep,
        title: 'fails as overloaded when its words cannot be stored in time, and the next turn stores them first',
      },
    ],
  },
  {
    id: 'service-2.9-78',
    tests: [
      { file: title, title: 'is %s' },
      {
        file: conversations,
        title: 'is named by classifierChatClient after its first turn, which does not wait for that',
      },
      { file: store, title: 'the title of a user stays when a model proposes one' },
    ],
  },
  {
    id: 'service-2.9-79',
    tests: [
      { file: conversations, title: 'goes on after a snapshot of it is restored, as it stands by then' },
      { file: keep, title: 'is stored with what was said before the conversation was kept' },
    ],
  },
  {
    id: 'service-2.9-80',
    tests: [
      { file: store, title: 'the oldest turns of a conversation go first, and the last stays whatever its length' },
      { file: store, title: 'the oldest conversations of a user go first, and no other user’s' },
    ],
  },
  {
    id: 'service-2.9-81',
    tests: [
      { file: keep, title: 'keeps more messages than maxSessionMessages' },
      { file: conversations, title: 'is kept whole beside a chatReducer, which is warned of' },
    ],
  },
  {
    id: 'service-2.9-90',
    tests: [
      {
        file: plugin,
        title: 'as the guide shows are listed, opened, named, deleted and erased, each for its own user',
      },
      { file: store, title: 'the oldest conversations of a user go first, and no other user’s' },
      { file: store, title: 'a purge deletes and counts what is too old, where it is not a plugin’s to decide' },
      {
        file: plugin,
        title:
          'is warned of where nothing is kept: nobody can sign in, or the provider of the model keeps the conversation',
      },
    ],
  },
  {
    id: 'service-2.9-91',
    tests: [{ file: plugin, title: 'are sealed, and one that the plugin changed cannot be opened' }],
  },
  {
    id: 'service-2.9-92',
    tests: [{ file: plugin, title: 'that were deleted or erased are given to nobody, whatever the plugin still has' }],
  },
  {
    id: 'service-2.9-93',
    tests: [
      { file: plugin, title: 'that it cannot save fail the turn, and are saved with the next one' },
      { file: pluginStore, title: 'is a store that fails after 3 s in %s, and says so once' },
    ],
  },
  {
    id: 'service-2.9-95',
    tests: [{ file: plugin, title: 'come from one provider for each user, made once by the factory' }],
  },
  {
    id: 'service-2.9-96',
    tests: [{ file: plugin, title: 'keeps the server from starting where %s' }],
  },
  {
    id: 'service-2.9-85',
    tests: [
      {
        file: erasure,
        title:
          'is erased for one tenant alone: conversations, snapshots, and the name in the journal; what was approved stays',
      },
      {
        file: store,
        title: 'an erased user has none, those that were never stored included',
      },
    ],
  },
  {
    id: 'service-2.9-86',
    tests: [
      {
        file: erasure,
        title:
          'is erased for one tenant alone: conversations, snapshots, and the name in the journal; what was approved stays',
      },
    ],
  },
  {
    id: 'service-2.9-87',
    tests: [
      {
        file: erasure,
        title:
          'is erased for one tenant alone: conversations, snapshots, and the name in the journal; what was approved stays',
      },
      { file: store, title: 'an erasure is found by any of the marks, the last one first, until it is forgotten' },
      {
        file: erasedFiles,
        title: 'is not put back from a snapshot after a restart where conversations are kept no more: %s',
      },
    ],
  },
  {
    id: 'service-2.9-83',
    tests: [
      { file: erasedFiles, title: 'is in no file of the storage any more: %s' },
      {
        file: erasedFiles,
        title: 'is in no file of the storage after the next start where the server is killed at once',
      },
      { file: erasedFiles, title: 'is in no file of the storage once helper erase has ended' },
      { file: scrubbing, title: 'takes steps until nothing is left, and begins again with the next erasure' },
    ],
  },
  {
    id: 'service-2.9-84',
    tests: [{ file: erasedFiles, title: 'is erased as often as endpoints.transports.rateLimit allows, then 429' }],
  },
  {
    id: 'service-2.9-89',
    tests: [
      { file: erasure, title: 'has no facts any more, for one tenant alone, also after a crash and without a server' },
    ],
  },
  {
    id: 'configuration-5-99',
    tests: [
      {
        file: 'test/unit/core/erasure/user-erasure.test.ts',
        title: 'reads neither the turns of others nor any line, however many turns are kept',
      },
      {
        file: 'test/unit/core/erasure/user-erasure.test.ts',
        title: 'finds turns that an older version keeps meanwhile, a few headers at a time',
      },
    ],
  },
  {
    id: 'service-2.9-88',
    tests: [
      kept,
      {
        file: erasure,
        title:
          'is erased while a turn of the user runs: the turn is stopped, and nothing of it comes back after a crash',
      },
    ],
  },
  {
    id: 'wire-3-95',
    tests: [
      {
        file: conversations,
        title: 'goes on after OpenConversation: the model reads what was said, and the next message is added to it',
      },
    ],
  },
  {
    id: 'wire-3-96',
    tests: [
      { file: conversations, title: 'is opened by its own user alone, on a connection where nothing runs' },
      {
        file: conversations,
        title: 'that is deleted does not come back: not by what runs in it, a snapshot, or its id',
      },
    ],
  },
  {
    id: 'configuration-7-40',
    tests: [
      { file: purge, title: 'are deleted at the start and once a day, after retention.conversations, and counted' },
      {
        file: loadSettings,
        title:
          'keeps what is stored for as long as contract/operations.md#retention and contract/memory.md#storage say',
      },
    ],
  },
  {
    id: 'configuration-7-41',
    tests: [
      {
        file: erasure,
        title:
          'is erased by the command, of a server that runs and of one that does not (contract/operations.md#erase)',
      },
      { file: plugin, title: 'is erased by the command without a server: the plugin is started for it, and stopped' },
    ],
  },
  {
    id: 'wire-9-70',
    tests: [
      {
        file: browser,
        title: 'goes back to a conversation, with the keyboard alone, and the next message is added to it',
      },
    ],
  },
  {
    id: 'wire-9-71',
    tests: [{ file: browser, title: 'renames a conversation, and deletes it after a question' }],
  },
  {
    id: 'wire-9-72',
    tests: [{ file: browser, title: 'is loaded only for a signed-in user whose conversations are kept' }],
  },
  {
    id: 'wire-9-73',
    tests: [
      {
        file: browser,
        title: 'goes back to a conversation, with the keyboard alone, and the next message is added to it',
      },
      { file: browser, title: 'renames a conversation, and deletes it after a question' },
    ],
  },
  { id: 'wire-2-40', tests: [{ file: server, title: 'tells a hub client what is kept of signed-in users' }] },
  {
    id: 'wire-9-74',
    tests: [{ file: facts, title: 'shows, corrects and erases facts with the keyboard alone, one of them and all' }],
  },
  { id: 'wire-9-75', tests: [{ file: facts, title: 'leads to the conversation of a fact, unless that is gone' }] },
  { id: 'wire-9-76', tests: [{ file: facts, title: 'says in plain words what the server did not do' }] },
  {
    id: 'wire-9-77',
    tests: [{ file: facts, title: 'is there for a signed-in user while the memory is on, and goes with that user' }],
  },
  {
    id: 'wire-9-78',
    tests: [{ file: facts, title: 'shows, corrects and erases facts with the keyboard alone, one of them and all' }],
  },
];
