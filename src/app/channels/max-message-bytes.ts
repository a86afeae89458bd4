import type { HelperSettings } from '../../config/settings.ts';

/**
 * The largest request worth reading: a message of `maxMessageLength` in its longest JSON spelling (`\uXXXX`), with room
 * for what comes beside it.
 */
export function maxMessageBytes(settings: HelperSettings): number {
  const room = 256 * 1024;
  const unlimited = 16 * 1024 * 1024;
  return settings.maxMessageLength === 0 ? unlimited : settings.maxMessageLength * 6 + room;
}
