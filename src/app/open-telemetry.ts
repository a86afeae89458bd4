import type { Telemetry } from '../adapters/telemetry/telemetry.ts';
import type { HelperSettings } from '../config/settings.ts';
import type { Logger } from '../core/ports/logger.ts';
import { packageVersion } from './own-package.ts';

/** Traces and metrics over OTLP; undefined, and nothing of it is loaded, unless `enableObservability` is on. */
export async function openTelemetry(settings: HelperSettings, log: Logger): Promise<Telemetry | undefined> {
  const { otlpEndpoint, headers } = settings.telemetry;
  if (!settings.enableObservability || otlpEndpoint === null) return undefined;
  const { Telemetry } = await import('../adapters/telemetry/telemetry.ts');
  return new Telemetry({
    endpoint: otlpEndpoint.replace(/(?<!\/)\/+$/, ''),
    headers,
    sourceName: settings.observabilitySourceName,
    version: packageVersion(),
    includeSensitive: settings.observabilityIncludeSensitiveData,
    log,
  });
}
