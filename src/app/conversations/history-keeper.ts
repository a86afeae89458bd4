import type { LoadedPlugin } from '../../adapters/plugin-directory/loaded-plugin.ts';
import type { Stores } from '../../adapters/stores/stores.ts';
import type { HelperSettings } from '../../config/settings.ts';
import { configurationWarningCodes as codes } from '../../config/warnings.ts';
import { ConversationsOfPlugin } from '../../core/conversations/conversations-of-plugin.ts';
import { StartupFaults } from '../../core/errors/startup-fault.ts';
import type { HistoryKeeper } from '../../core/ports/history-keeper.ts';
import type { Logger } from '../../core/ports/logger.ts';

type HistorySettings = Pick<HelperSettings, 'chatHistoryProvider' | 'useServiceManagedHistory'>;

/** What keeps conversations in a plugin. No two plugins do. */
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

/** Whether anything is there that would keep conversations, whatever else is set. */
export function isProvided(
  { chatHistoryProvider }: Pick<HelperSettings, 'chatHistoryProvider'>,
  plugins: readonly LoadedPlugin[],
): boolean {
  return chatHistoryProvider !== null || keeperOf(plugins) !== undefined;
}

/** The same stores, with the conversations where a plugin keeps them. */
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

/** What to warn of when a plugin keeps conversations, as `chatHistoryProvider: storage` is warned of. */
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
    ...(useServiceManagedHistory ? [{ code: codes.conversationsByProvider, message: byProvider }] : []),
    ...(jwt === null ? [{ code: codes.conversationsOfNobody, message: ofNobody }] : []),
  ];
}
