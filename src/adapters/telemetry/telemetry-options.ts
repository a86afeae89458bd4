import type { Logger } from '../../core/ports/logger.ts';

/** The receiver of telemetry, and what is sent to it. */
export interface TelemetryOptions {
  /** Address of the receiver, without the paths of OTLP and without a slash at its end. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The name of the tracer and the meter. */
  readonly sourceName: string;
  /** This server's version. */
  readonly version: string;
  /** Whether the texts of users, models and tools are sent, too. */
  readonly includeSensitive: boolean;
  readonly log: Logger;
}
