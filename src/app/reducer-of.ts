import type { LoadedPlugin } from '../adapters/plugin-directory/loaded-plugin.ts';
import type { HelperSettings } from '../config/settings.ts';
import { isProvided } from './conversations/history-keeper.ts';
import type { ChatReducer } from '../core/ports/chat-reducer.ts';

/** Documented in `docs/reference/warnings.md`. */
const codes = {
  trimmedByReducer: 'HLP1061',
  reducerUnused: 'HLP1063',
  reducerBesideProvider: 'HLP1070',
} as const;

/**
 * The reducer that decides which messages are kept; undefined when no plugin has one, and where an agent answers. At most one plugin has one.
 */
export function reducerOf(
  { agent }: Pick<HelperSettings, 'agent'>,
  plugins: readonly LoadedPlugin[],
): ChatReducer | undefined {
  if (agent !== null) return undefined;
  return plugins.find(({ reducer }) => reducer !== undefined)?.reducer;
}

/** What to warn of when a plugin decides which messages are kept (contract/sessions.md#a-reducer-of-your-own). */
export function reducerWarnings(
  {
    maxSessionMessages,
    useServiceManagedHistory,
    chatHistoryProvider,
    agent,
  }: Pick<HelperSettings, 'maxSessionMessages' | 'useServiceManagedHistory' | 'chatHistoryProvider' | 'agent'>,
  plugins: readonly LoadedPlugin[],
): readonly { readonly code: string; readonly message: string }[] {
  const reducer = reducerOf({ agent }, plugins);
  if (reducer !== undefined && useServiceManagedHistory) {
    const message = `the chatReducer of the plugin ${reducer.name} has no effect with useServiceManagedHistory: the provider keeps the conversation.`;
    return [{ code: codes.reducerUnused, message }];
  }
  if (reducer !== undefined && isProvided({ chatHistoryProvider }, plugins)) {
    const message = `the chatReducer of the plugin ${reducer.name} has no effect: chatHistoryProvider keeps the messages.`;
    return [{ code: codes.reducerBesideProvider, message }];
  }
  if (reducer === undefined || maxSessionMessages === 50) return [];
  const message = `maxSessionMessages has no effect: the chatReducer of the plugin ${reducer.name} decides which messages are kept.`;
  return [{ code: codes.trimmedByReducer, message }];
}
