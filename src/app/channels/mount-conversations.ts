import { conversationsChannel } from '../../channels/control/conversations-channel.ts';
import { userDataChannel } from '../../channels/control/user-data-channel.ts';
import type { MountChannel } from './mount-channel.ts';

/** Kept conversations, where they are kept, and the erasure of a user (contract/sessions.md). */
export const mountConversations: MountChannel = (http, { settings, conversations, erasure, admission }) => {
  const { basePath, channels } = settings.server;
  if (channels.length === 0) return;
  void http.register(userDataChannel, { basePath, erasure, admission });
  if (conversations !== undefined) void http.register(conversationsChannel, { basePath, conversations, admission });
};
