import type { HelperSettings } from '../../config/settings.ts';
import type { ChatModel } from '../../core/ports/chat-model.ts';
import { isUnchanged, keyOfModel, type WantedModel } from './agent-models.ts';

/** How models of specialists come to be. */
interface Opening {
  readonly open: (wanted: WantedModel) => Promise<ChatModel>;
  /** The models that answer users already, by their entry. */
  readonly known: Readonly<Record<string, ChatModel>>;
}

/** Opens the model of each specialist. Specialists with the same entry and options share one model. */
export async function openAgentModels(
  wanted: ReadonlyMap<string, WantedModel>,
  { models }: Pick<HelperSettings, 'models'>,
  { open, known }: Opening,
): Promise<ReadonlyMap<string, ChatModel>> {
  const opened = new Map<string, ChatModel>();
  const agents = new Map<string, ChatModel>();
  for (const [name, given] of wanted) {
    // The demo model has no options, so all agents share it as it is.
    const one = models[given.entry]?.provider === 'demo' ? { ...given, options: {} } : given;
    const key = keyOfModel(one);
    const shared =
      opened.get(key) ?? (isUnchanged(one) && Object.hasOwn(known, one.entry) ? known[one.entry] : undefined);
    const model = shared ?? (await open(one));
    opened.set(key, model);
    agents.set(name, model);
  }
  return agents;
}
