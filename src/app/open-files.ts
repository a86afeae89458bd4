import type { HelperSettings } from '../config/settings.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { FileInput } from '../core/turn/live/turn-services.ts';
import type { OpenResources } from './open-resources.ts';

/**
 * Opens the reader of the files of messages (contract/files.md), and adds it to the resources. Its process begins with the first file.
 * Undefined unless `enableFileInput` is on.
 */
export async function openFiles(
  settings: HelperSettings,
  resources: Pick<OpenResources, 'add'>,
  log: Logger,
): Promise<FileInput | undefined> {
  if (!settings.enableFileInput) return undefined;
  // Loaded only here: most servers take no files.
  const { MessageFiles } = await import('../adapters/knowledge/files/message-files.ts');
  const reader = new MessageFiles(log);
  resources.add({ name: 'reader of files', close: () => reader.close() });
  return { settings, reader };
}
