import { nearestName } from '../../../core/errors/nearest-name.ts';
import { describeError } from '../../shared/describe-error.ts';
import { compileForeignSchemaCheck, type SchemaCheck } from '../../shared/json-schema-check.ts';
import { hasMembers, type Members } from '../../shared/members.ts';
import { type FaultPlace, type ReportFault, reportUnder } from '../fault-report.ts';
import type { PluginParts } from './read-plugin.ts';

export interface PluginOptionsSources {
  readonly plugins: readonly PluginParts[];
  /** `pluginOptions` of helper.yaml. */
  readonly pluginOptions: Members;
  /** Reports a fault of helper.yaml. */
  readonly reportSettings: ReportFault;
  readonly reportAt: (place: FaultPlace) => ReportFault;
}

/**
 * The block of options of each plugin, checked against the plugin's `configSchema` and completed with its defaults
 * (contract/plugins.md#plugins).
 */
export async function readPluginOptions(sources: PluginOptionsSources): Promise<ReadonlyMap<PluginParts, Members>> {
  const blocks = new Map<PluginParts, Members>();
  for (const plugin of sources.plugins) blocks.set(plugin, await readBlock(plugin, sources));
  return blocks;
}

/** Reports blocks of options that belong to no plugin. To be called only when every plugin's name is known. */
export function reportStrayOptions(sources: PluginOptionsSources): void {
  const names = sources.plugins.map((plugin) => plugin.name);
  for (const name of Object.keys(sources.pluginOptions)) {
    if (names.includes(name)) continue;
    const known = names.length === 0 ? 'there is no plugin' : `plugins are ${names.join(', ')}`;
    sources.reportSettings(`pluginOptions.${name}`, `no plugin has this name; ${known}`, nearestName(name, names));
  }
}

async function readBlock(plugin: PluginParts, sources: PluginOptionsSources): Promise<Members> {
  const report = reportUnder(sources.reportSettings, `pluginOptions.${plugin.name}`);
  const block: unknown = structuredClone(sources.pluginOptions[plugin.name] ?? {});
  if (!hasMembers(block)) {
    report('', 'must be an object');
    return {};
  }
  const check = await compileConfigSchema(plugin, sources.reportAt({ file: plugin.file }));
  for (const fault of check(block)) report(fault.path, fault.message, fault.suggestion);
  return deepFreeze(block);
}

async function compileConfigSchema({ name, configSchema }: PluginParts, report: ReportFault): Promise<SchemaCheck> {
  const anything: SchemaCheck = () => [];
  if (configSchema === undefined) return anything;
  try {
    return await compileForeignSchemaCheck(configSchema, 'fillsDefaults');
  } catch (error) {
    report(`${name}.configSchema`, `is not a JSON Schema that can be used: ${describeError(error)}`);
    return anything;
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) deepFreeze(member);
    Object.freeze(value);
  }
  return value;
}
