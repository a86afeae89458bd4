import { controlChannel } from '../../channels/control/control-channel.ts';
import type { MountChannel } from './mount-channel.ts';

/** Approve and cancel (contract/confirmations.md#stop): for whatever channel a turn is on. */
export const mountControl: MountChannel = (http, { settings, assistant, elsewhere, admission }) => {
  const { basePath, channels } = settings.server;
  if (channels.length > 0) void http.register(controlChannel, { basePath, assistant, elsewhere, admission });
};
