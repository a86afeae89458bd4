import type { CutShort } from './cut-short.ts';
import type { HubClientOptions } from './hub-options.ts';
import type { HubRequests } from './hub-requests.ts';
import type { HubTimings } from './hub-timings.ts';
import type { HubHandler } from './run-handler.ts';

/** What a session is made with. */
export interface HubSessionOptions extends Pick<HubClientOptions, 'transports' | 'loadFallback' | 'reconnectDelay'> {
  readonly requests: HubRequests;
  /** The client cuts the wait for a restored line short. */
  readonly delay: CutShort;
  readonly timings: HubTimings;
  readonly handlers: ReadonlyMap<string, HubHandler>;
  /** The line broke; `onRestored` or `onEnded` follows. */
  readonly onInterrupted: () => void;
  readonly onRestored: () => void;
  /** Called once, for a session that was open. */
  readonly onEnded: (ending: Ending) => void;
}

/** How a session ended. */
export interface Ending {
  readonly reason: unknown;
  readonly mayReconnect: boolean;
}
