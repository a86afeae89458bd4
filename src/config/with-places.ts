import type { LoadedSettings } from './load-settings.ts';
import { StartupFaults } from '../core/errors/startup-fault.ts';

/**
 * Runs work that needs the plugins. Faults of the configuration that the work finds get their lines (contract/configuration.md#faults).
 * @throws StartupFaults with their places, and whatever else `work` throws.
 */
export async function withPlaces<T>({ locate }: Pick<LoadedSettings, 'locate'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof StartupFaults ? new StartupFaults(error.faults.map((fault) => locate(fault))) : error;
  }
}
