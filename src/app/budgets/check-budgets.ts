import type { HelperSettings } from '../../config/settings.ts';
import { type StartupFault, StartupFaults } from '../../core/errors/startup-fault.ts';
import type { ChatModel } from '../../core/ports/chat-model.ts';
import type { OpenModels } from '../reload/live-model.ts';
import { boundsOf } from './model-bounds.ts';

/**
 * Checks that the models fit the budgets (contract/limits.md#budgets): a budget of cost needs a price for every model that may be asked,
 * and a downgrade needs a model to go down to.
 * @throws StartupFaults naming each budget at fault.
 */
export function checkBudgets(settings: HelperSettings, models: OpenModels): void {
  const { budgets, configFile: file } = settings;
  const unpriced = [...models.chains.keys()].flatMap((model) => unpricedOf(model, models, settings));
  const withoutPrice = [...new Set(unpriced)].join(', ');
  const faults = budgets.flatMap(({ cost, then }, index): readonly StartupFault[] => {
    const at = `budgets[${String(index)}]`;
    if (cost !== undefined && withoutPrice !== '') {
      const message = `needs the price of every model that may be asked; modelPricing has none of ${withoutPrice}`;
      return [{ file, path: `${at}.cost`, message }];
    }
    return then === 'downgrade' ? downgradeFaults({ file, path: `${at}.then` }, settings, models) : [];
  });
  if (faults.length > 0) throw new StartupFaults(faults);
}

/** Documented in `docs/reference/warnings.md`. */
const guessedCode = 'HLP1097';

/** Warns of models without `maxOutputTokens`: a budget can only guess the length of their answers (docs/reference/warnings.md). */
export function budgetWarnings(
  { budgets }: HelperSettings,
  { chat, foreign, chains }: OpenModels,
): readonly { readonly code: string; readonly message: string }[] {
  if (budgets.length === 0) return [];
  const answering = foreign === undefined ? undefined : chat;
  const unbounded = [...chains.values()]
    .flat()
    .filter(({ model, settings }) => model !== answering && settings.maxOutputTokens === undefined);
  const names = [...new Set(unbounded.filter(({ model }) => !model.isDemo).map(({ model }) => model.model))];
  const guessed = `budgets guess what the agent ${chat.model} takes, by what it is sent and says, and know nothing of what it spends itself.`;
  const message = `budgets reckon with at most 4096 tokens of an answer of ${names.join(', ')}, and longer ones overspend: set maxOutputTokens of the model to bound them.`;
  return [
    ...(answering === undefined ? [] : [{ code: guessedCode, message: guessed }]),
    ...(names.length === 0 ? [] : [{ code: guessedCode, message }]),
  ];
}

function downgradeFaults(
  place: Pick<StartupFault, 'file' | 'path'>,
  settings: HelperSettings,
  models: OpenModels,
): readonly StartupFault[] {
  const tried = models.chains.get(models.chat) ?? [];
  const hasStrong = models.strong !== undefined && models.strong !== models.chat;
  if (tried.length < 2 && !hasStrong) {
    const because = settings.chatClient === undefined ? 'an agent' : `models.${settings.chatClient}`;
    return [{ ...place, message: `there is nothing to go down to: ${because} has no fallbacks` }];
  }
  const withoutPrice = unpricedOf(models.chat, models, settings).join(', ');
  if (withoutPrice === '') return [];
  const message = `needs to know which model is the cheapest; modelPricing has none of ${withoutPrice}`;
  return [{ ...place, message }];
}

function unpricedOf(model: ChatModel, models: OpenModels, settings: HelperSettings): readonly string[] {
  return boundsOf(models.chains.get(model) ?? [], settings.modelPricing ?? {})
    .filter(({ price }) => price === undefined)
    .map((bounds) => bounds.model);
}
