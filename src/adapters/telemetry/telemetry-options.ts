import type { Logger } from '../../core/ports/logger.ts';

/** Where telemetry goes, and what is in it. */
export interface TelemetryOptions {
  /** Address of the receiver, without the paths of OTLP and without a slash at its end. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Name of the tracer and the meter. */
  readonly sourceName: string;
  /** This server's version. */
  readonly version: string;
  /** Also what users, models and tools said. */
  readonly includeSensitive: boolean;
  readonly log: Logger;
}
