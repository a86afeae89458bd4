import { openEventStream } from './event-stream.ts';
import type { FallbackTransports } from './hub-options.ts';
import { openLongPolling } from './long-polling.ts';

/** The transports for networks that let no WebSocket through. */
export const fallbackTransports: FallbackTransports = {
  ServerSentEvents: openEventStream,
  LongPolling: openLongPolling,
};
