import { type LoadedSettings, loadObjectSettings, loadSettings } from '../config/load-settings.ts';
import type { HelperConfiguration } from './helper-configuration.ts';

/**
 * Reads a configuration that a host gives: the path of a file, or an object.
 * @throws StartupFaults with every fault found.
 */
export function loadConfiguration(config: string | HelperConfiguration): LoadedSettings {
  const environment = process.env;
  return typeof config === 'string'
    ? loadSettings({ file: config, environment })
    : loadObjectSettings(config, { environment });
}
