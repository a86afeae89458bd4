import type { FallbackModule } from './widget-contract.ts';
import { fallbackTransports } from './transport/signalr/fallback-transports.ts';

/** Fetched where no WebSocket gets through. */
export const transports: FallbackModule['transports'] = fallbackTransports;
