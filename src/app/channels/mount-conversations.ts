import { conversationsChannel } from '../../channels/control/conversations-channel.ts';
import { userDataChannel } from '../../channels/control/user-data-channel.ts';
import type { HelperSettings } from '../../config/settings.ts';
import type { MountChannel } from './mount-channel.ts';

/** The kept conversations, where the server keeps any, and the erasure of a user (contract/sessions.md). */
export const mountConversations: MountChannel = (http, { settings, conversations, erasure, admission, transports }) => {
  const { basePath } = settings.server;
  if (!hasTurns(settings)) return;
  // Each erasure searches everything that is kept, so it counts like a message of its caller.
  const counted = { ...admission, rate: transports.rate };
  void http.register(userDataChannel, { basePath, erasure, admission: counted });
  if (conversations !== undefined) void http.register(conversationsChannel, { basePath, conversations, admission });
};

/** Whether turns of users run here, of which something may be kept. */
export function hasTurns({ server, a2aServerEnabled }: HelperSettings): boolean {
  return server.channels.length > 0 || a2aServerEnabled;
}
