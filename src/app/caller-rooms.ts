import type { HelperSettings } from '../config/settings.ts';
import { CallerRoom } from '../core/limits/caller-room.ts';

/** Bytes of messages that may wait for their turn, of one caller and in all. */
const maxQueuedBytes = { perCaller: 4 * 1024 * 1024, inAll: 64 * 1024 * 1024 };

/** What callers may hold at the same time, counted over all channels (configuration.md 4). */
export interface CallerRooms {
  /** Hub connections and streams of server-sent events. */
  readonly connections: CallerRoom;
  /** Running turns. */
  readonly turns: CallerRoom;
  /** Bytes of messages that wait for their turn. */
  readonly queue: CallerRoom;
}

/** The room that the settings give each caller, all of it empty. */
export function openCallerRooms({ server }: Pick<HelperSettings, 'server'>): CallerRooms {
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
  };
}
