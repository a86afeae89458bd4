import type { Language } from '../../wire/client-settings.ts';

/** The launcher's name, which is needed before the panel and its texts are loaded. */
export const launcherTexts: Readonly<Record<Language, string>> = {
  English: 'Open chat',
  Italian: 'Apri la chat',
  French: 'Ouvrir le chat',
  German: 'Chat öffnen',
  Spanish: 'Abrir el chat',
  Portuguese: 'Abrir o chat',
  Dutch: 'Chat openen',
  Polish: 'Otwórz czat',
  Japanese: 'チャットを開く',
  Chinese: '打开聊天',
};
