import type { OpenapiSource } from '../../adapters/openapi/openapi-source.ts';
import { saidOfOperations } from '../../config/openapi-operations.ts';
import type { HelperSettings } from '../../config/settings.ts';
import { StartupFaults } from '../../core/errors/startup-fault.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { openapiProvider } from './openapi-provider.ts';
import type { ToolProvider } from './tool-provider.ts';

/**
 * Reads the document of each API once. A document at an address that cannot be used is read again when the server runs.
 * @throws StartupFaults where a file cannot be used: nothing but an edit helps it.
 */
export async function openOpenapi(
  { actions, configFile }: Pick<HelperSettings, 'actions' | 'configFile'>,
  log: Logger,
): Promise<readonly ToolProvider[]> {
  if (actions === 'none' || actions.openapi.length === 0) return [];
  // Loaded only for those who have one: every other start would pay for an HTTP client.
  const { OpenapiSource } = await import('../../adapters/openapi/openapi-source.ts');
  const sources = actions.openapi.map((entry) => new OpenapiSource({ ...entry, ...saidOfOperations(entry) }, { log }));
  await loadAll(sources);
  const place = (index: number) => ({ file: configFile, path: `actions.openapi[${String(index)}]` });
  const faults = sources.flatMap(({ isFile, fault, settings }, index) => {
    if (!isFile || fault === undefined) return [];
    const { file, path } = place(index);
    return [{ file, path: `${path}.document`, message: `${settings.document} ${fault}` }];
  });
  if (faults.length > 0) {
    await Promise.all(sources.map((source) => source.close()));
    throw new StartupFaults(faults);
  }
  return sources.map((source, index) => openapiProvider(source, place(index)));
}

/** Documents that are read at a time. Each may take much memory, and an address that never answers takes its time. */
const atOnce = 3;

async function loadAll(sources: readonly Pick<OpenapiSource, 'load'>[]): Promise<void> {
  const waiting = [...sources];
  const loadNext = async (): Promise<void> => {
    for (let source = waiting.shift(); source !== undefined; source = waiting.shift()) await source.load();
  };
  await Promise.all(Array.from({ length: atOnce }, loadNext));
}
