import type { HelperSettings } from '../config/settings.ts';
import { type AttachmentSettingName, largestAttachments, maxMessageBytes } from './channels/max-message-bytes.ts';
import { CallerRoom } from '../core/limits/caller-room.ts';

/** Bytes of messages that may wait for their turn, of one caller and in all. */
const maxQueuedBytes = { perCaller: 4 * 1024 * 1024, inAll: 64 * 1024 * 1024 };

/**
 * Bytes of images and files that wait or that a running turn uses, of one caller and in all. The same bound holds for messages that are still on
 * their way to the hub. The bound of a caller is never less than one message may have.
 */
const maxLargeBytes = { perCaller: 32 * 1024 * 1024, inAll: 128 * 1024 * 1024 };

/** What callers may hold at the same time, counted over all channels (contract/limits.md#callers). */
export interface CallerRooms {
  /** Hub connections and streams of server-sent events. */
  readonly connections: CallerRoom;
  /** Running turns. */
  readonly turns: CallerRoom;
  /** Bytes of messages that wait for their turn. */
  readonly queue: CallerRoom;
  /** Bytes of images and files, as base64, from their arrival to the end of their turn. */
  readonly attachments: CallerRoom;
  /** Bytes of messages to the hub that are not whole yet. */
  readonly arriving: CallerRoom;
}

/** The room that the settings give each caller, all of it empty. */
export function openCallerRooms(
  settings: Pick<HelperSettings, 'server' | 'maxMessageLength' | AttachmentSettingName>,
): CallerRooms {
  const { server } = settings;
  const { perCaller, inAll } = maxLargeBytes;
  const roomFor = (largest: number): CallerRoom => {
    const ofCaller = Math.max(perCaller, largest);
    return new CallerRoom({ perUser: ofCaller, perAddress: ofCaller, inAll: Math.max(inAll, largest) });
  };
  return {
    connections: new CallerRoom({
      perUser: server.maxConnectionsPerUser,
      perAddress: server.maxConnectionsPerAddress,
    }),
    turns: new CallerRoom({ perUser: server.maxTurnsPerUser, perAddress: server.maxTurnsPerAddress }),
    queue: new CallerRoom({
      perUser: maxQueuedBytes.perCaller,
      perAddress: maxQueuedBytes.perCaller,
      inAll: maxQueuedBytes.inAll,
    }),
    attachments: roomFor(largestAttachments(settings)),
    // One frame may bring several messages, and room for them is taken in steps of half a mebibyte.
    arriving: roomFor(maxMessageBytes(settings) + 1024 * 1024),
  };
}
