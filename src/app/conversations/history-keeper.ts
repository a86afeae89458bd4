import type { LoadedPlugin } from '../../adapters/plugin-directory/loaded-plugin.ts';
import type { Stores } from '../../adapters/stores/stores.ts';
import type { HelperSettings } from '../../config/settings.ts';
import { ConversationsOfPlugin } from '../../core/conversations/conversations-of-plugin.ts';
import { StartupFaults } from '../../core/errors/startup-fault.ts';
import type { HistoryKeeper } from '../../core/ports/history-keeper.ts';
import type { Logger } from '../../core/ports/logger.ts';

/** Documented in `docs/reference/warnings.md`. */
const codes = { byProvider: 'HLP1071', ofNobody: 'HLP1072' } as const;

type HistorySettings = Pick<HelperSettings, 'chatHistoryProvider' | 'useServiceManagedHistory'>;

/** The plugin's part that keeps conversations, if there is one. At most one plugin has such a part. */
function keeperOf(plugins: readonly LoadedPlugin[]): HistoryKeeper | undefined {
  return plugins.find(({ history }) => history !== undefined)?.history;
}

/** Whether the storage or a plugin keeps the conversations of signed-in users (contract/sessions.md#kept-conversations). */
export function keepsConversations(
  { chatHistoryProvider, useServiceManagedHistory }: HistorySettings,
  plugins: readonly LoadedPlugin[],
): boolean {
  return isProvided({ chatHistoryProvider }, plugins) && !useServiceManagedHistory;
}

/** Whether the storage or a plugin could keep conversations, whatever the other settings say. */
export function isProvided(
  { chatHistoryProvider }: Pick<HelperSettings, 'chatHistoryProvider'>,
  plugins: readonly LoadedPlugin[],
): boolean {
  return chatHistoryProvider !== null || keeperOf(plugins) !== undefined;
}

/** The stores, in which the plugin that keeps conversations replaces the store of conversations. */
export function withHistoryOf(plugins: readonly LoadedPlugin[], stores: Stores, log: Pick<Logger, 'warn'>): Stores {
  const keeper = keeperOf(plugins);
  if (keeper === undefined) return stores;
  return { ...stores, conversations: new ConversationsOfPlugin({ keeper, deleted: stores.conversations, log }) };
}

/** @throws StartupFaults when both the storage and a plugin are to keep the conversations. */
export function checkHistory(
  { chatHistoryProvider, configFile }: Pick<HelperSettings, 'chatHistoryProvider' | 'configFile'>,
  plugins: readonly LoadedPlugin[],
): void {
  const keeper = keeperOf(plugins);
  if (chatHistoryProvider === null || keeper === undefined) return;
  const message = `the plugin ${keeper.name} keeps the conversations already; take one of them`;
  throw new StartupFaults([{ file: configFile, path: 'chatHistoryProvider', message }]);
}

/** The warnings about a plugin that keeps conversations. They are the same as for `chatHistoryProvider: storage`. */
export function historyWarnings(
  { useServiceManagedHistory, auth: { jwt } }: Pick<HelperSettings, 'useServiceManagedHistory' | 'auth'>,
  plugins: readonly LoadedPlugin[],
): readonly { readonly code: string; readonly message: string }[] {
  const keeper = keeperOf(plugins);
  if (keeper === undefined) return [];
  const unused = `the chatHistoryProvider of the plugin ${keeper.name} has no effect`;
  const byProvider = `${unused} with useServiceManagedHistory: the provider of the model keeps the conversations.`;
  const ofNobody = `${unused} without auth.jwt: conversations are kept for signed-in users, and nobody can sign in.`;
  return [
    ...(useServiceManagedHistory ? [{ code: codes.byProvider, message: byProvider }] : []),
    ...(jwt === null ? [{ code: codes.ofNobody, message: ofNobody }] : []),
  ];
}
