import type { Requirement } from '../requirement.ts';

const server = 'test/integration/budgets.test.ts';
const spending = 'test/unit/core/budgets/spending.test.ts';
const ofPlugins = 'test/unit/core/budgets/spending-of-plugins.test.ts';
const images = 'test/unit/core/history/image-tokens.test.ts';
const amounts = 'test/unit/core/budgets/call-amounts.test.ts';
const layers = 'test/integration/chat-pipeline.test.ts';
const stores = 'test/unit/adapters/stores/budget-store.test.ts';
const ledger = 'test/unit/core/budgets/budget-ledger.test.ts';
const ledgerStorage = 'test/unit/core/budgets/budget-ledger-storage.test.ts';

const repeated = 'test/unit/core/calls/repeated-call.test.ts';

const by = (id: string, ...tests: readonly (readonly [file: string, title: string])[]): Requirement => ({
  id,
  tests: tests.map(([file, title]) => ({ file, title })),
});

/** The statements of `docs/contract/limits.md#budgets`. */
export const budgetRequirements: readonly Requirement[] = [
  by(
    'configuration-2-60',
    [server, 'are not there unless they are configured'],
    [server, 'is a fault: neither tokens nor cost'],
    [server, 'is a fault: both'],
    [server, 'is a fault: no way out'],
  ),
  by(
    'configuration-2-61',
    [server, 'is a fault: a cost without prices'],
    [spending, 'counts costs by the price of the model that has answered'],
    [amounts, 'is counted in whole billionths of the currency'],
  ),
  by(
    'configuration-2-62',
    [spending, 'is each user'],
    [spending, 'is each connection of nobody'],
    [spending, 'is all users with a role together'],
    [spending, 'is each conversation'],
    [spending, 'is a conversation over all its messages'],
    [spending, 'is everybody in a day together'],
    [server, 'is a fault: per: role without a role'],
  ),
  by(
    'configuration-2-63',
    [spending, 'is each user with a role'],
    [spending, 'is the tenants that it names'],
    [spending, 'is each tenant by itself'],
    [stores, 'holds all accounts of a call or none'],
  ),
  by(
    'configuration-2-64',
    [spending, 'begins with the first call that is counted, and does not move'],
    [spending, 'is that of the budget nearest to its end, of those that refuse'],
    [stores, 'begins anew once the window is over, and counts no call of the window before'],
    [ledgerStorage, 'counts in no later window what calls of an earlier one take, and leaves nothing held for them'],
    [server, 'is a fault: a window of a day'],
  ),
  by(
    'configuration-2-65',
    [amounts, 'is its input as it is estimated, and the longest answer of the model'],
    [amounts, 'reckons without maxOutputTokens with an answer of %s'],
    [amounts, 'is the whole window where the provider has tools of its own, since nobody knows what they will find'],
    [spending, 'counts what the model reports, whatever was held before'],
    [spending, 'guesses what a model has taken that does not say it'],
  ),
  by(
    'configuration-2-93',
    [amounts, 'has room for the largest count of its pictures, whatever the estimates of texts have come to'],
    [images, 'are no fewer than %s takes for %d by %d pixels, as its provider documents it'],
    [images, 'are 1,600 for a small picture, and follow the size of a large one'],
    [images, 'are those of the largest picture where the size cannot be read'],
  ),
  by(
    'configuration-2-66',
    [spending, 'is overspent by one call at most when 200 turns come at once at its edge, in %s'],
    [server, 'are overspent by one call at most where the provider searches the web, however much it finds'],
    [
      server,
      'are overspent by one call at most when 200 messages come at once, a SIGKILL cuts them off, and 200 come again',
    ],
  ),
  by(
    'configuration-2-67',
    [spending, 'lets a call wait for what others hold, and makes it when they leave something'],
    [spending, 'does not keep a call waiting that is stopped'],
    [spending, 'refuses a call for which everything is held for longer than 10 s, and says that a moment later may do'],
  ),
  by(
    'configuration-2-68',
    [server, 'hold over a restart, and are told to whoever connects'],
    [server, 'count a call that a SIGKILL has cut off with what it could take at most'],
    [server, 'count a turn that goes on after a SIGKILL for what both calls may have taken'],
    [stores, 'counts what an earlier process has left held as spent (contract/limits.md#budgets)'],
    [ledger, 'decides as the store would, and the store never counts less than was spent and is held'],
    [ledger, 'leaves at most a twentieth of what was left counted, when its process is killed'],
    [ledger, 'covers nothing ahead where no limit says how much is left'],
    [ledger, 'holds no more in the store than calls need that are under way, however many begin while it writes'],
    [ledgerStorage, 'gives back what it has covered ahead when its process closes'],
    [ledgerStorage, 'counts all that was held and spent after a kill, and a twentieth of what was left at most'],
    [ledgerStorage, 'counts a call that the closing has cut off with what was held for it'],
  ),
  by(
    'configuration-2-69',
    [spending, 'counts nothing of a call that fails before its first token'],
    [spending, 'counts %s'],
    [spending, 'counts the input of a call that takes too long'],
    [server, 'count the arguments of a call that the model has written when its reply %s'],
    [server, 'count nothing of a model that is away'],
  ),
  by('configuration-2-70', [
    spending,
    'refuses a message once it is used up, before the model is asked, and says when it begins anew',
  ]),
  by(
    'configuration-2-71',
    [spending, 'ends a turn between two of its calls as failed'],
    [server, 'tell the log, the metrics and the user in the configured language of a refusal'],
  ),
  by(
    'configuration-2-72',
    [spending, 'has the cheapest model answer once it is used up, until one that refuses is used up too'],
    [server, 'have the cheapest of chatClient and its fallbacks answer once one that downgrades is used up'],
  ),
  by(
    'configuration-2-73',
    [server, 'is a fault: nothing to go down to'],
    [server, 'is a fault: nobody knows which model is the cheapest'],
  ),
  by(
    'configuration-2-74',
    [spending, 'is that of the budget nearest to its end, of those that refuse'],
    [spending, 'is undefined without a budget that refuses'],
    [server, 'hold over a restart, and are told to whoever connects'],
  ),
  by(
    'configuration-2-75',
    [spending, 'count for whom they are asked, and are refused like every call'],
    [server, 'count the small questions of a message, and let none be asked once they are used up'],
    [server, 'count the questions whether a reply is true'],
    [server, 'count what is looked for after a turn: facts, and a title'],
  ),
  by(
    'configuration-2-76',
    [spending, 'is met by turns that run when it is changed'],
    [ledger, 'meets a limit that a reload has lowered below what is covered'],
    [server, 'are met by a turn that runs when they are changed by a reload'],
  ),
  by(
    'configuration-2-77',
    [server, 'are not begun anew by erasing oneself, and name nobody in the storage'],
    [stores, 'deletes accounts whose window is over, and no other'],
  ),
  by(
    'configuration-2-78',
    [spending, 'refuses what it cannot count, as overloaded'],
    [spending, 'refuses what the store of a ledger cannot cover, as overloaded, and makes what is covered already'],
    [ledgerStorage, 'makes calls that are covered already while the store fails, and no others'],
  ),
  by(
    'configuration-2-79',
    [ofPlugins, 'counts what a layer of a plugin takes: %s'],
    [ofPlugins, 'counts the input at least of a call that a layer does not wait for'],
    [layers, 'leave to budgets %s'],
  ),
  by('configuration-2-80', [ofPlugins, 'counts what a layer of a plugin takes: %s'], [layers, 'leave to budgets %s']),
];

/** The statements of `docs/contract/limits.md#repeated-calls`. */
export const repeatedCallRequirements: readonly Requirement[] = [
  by('configuration-6-70', [repeated, 'runs three times, and the model is told in place of the fourth']),
  by(
    'configuration-6-71',
    [repeated, 'is the same whatever the order of its arguments, and their spelling'],
    [repeated, 'does not count in the next turn'],
  ),
  by('configuration-6-72', [repeated, 'asks nobody where it would']),
  by('configuration-6-73', [repeated, 'is not made with loopGuard: %j from that repetition on']),
];
