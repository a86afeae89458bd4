import type { LoadedPlugin } from '../adapters/plugin-directory/loaded-plugin.ts';
import type { HelperSettings } from '../config/settings.ts';
import type { ChatReducer } from '../core/ports/chat-reducer.ts';

/** Documented in `docs/reference/warnings.md`. */
const trimmedByReducerCode = 'HLP1061';

/** What decides which messages are kept, if a plugin has it. No two plugins do. */
export function reducerOf(plugins: readonly LoadedPlugin[]): ChatReducer | undefined {
  return plugins.find(({ reducer }) => reducer !== undefined)?.reducer;
}

/** What to warn of when a plugin decides which messages are kept (contract/sessions.md#a-reducer-of-your-own). */
export function reducerWarnings(
  { maxSessionMessages }: Pick<HelperSettings, 'maxSessionMessages'>,
  plugins: readonly LoadedPlugin[],
): readonly { readonly code: string; readonly message: string }[] {
  const reducer = reducerOf(plugins);
  if (reducer === undefined || maxSessionMessages === 50) return [];
  const message = `maxSessionMessages has no effect: the chatReducer of the plugin ${reducer.name} decides which messages are kept.`;
  return [{ code: trimmedByReducerCode, message }];
}
