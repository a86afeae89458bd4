import type { FallbackModule } from './widget-contract.ts';
import { fallbackTransports } from './transport/signalr/fallback-transports.ts';

/** The widget fetches this module where no WebSocket gets through. */
export const transports: FallbackModule['transports'] = fallbackTransports;
