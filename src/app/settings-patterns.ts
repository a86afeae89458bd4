import { patternFault } from '../adapters/shared/patterns/pattern-fault.ts';
import { formatPath, type KeyPath } from '../config/located-value.ts';
import type { HelperSettings } from '../config/settings.ts';
import { type StartupFault, StartupFaults } from '../core/errors/startup-fault.ts';

/**
 * Checks the regular expressions of the configuration. They run on texts of any length that users and models write.
 * @throws StartupFaults naming each one that can backtrack without bound.
 */
export async function checkSettingsPatterns(settings: HelperSettings): Promise<void> {
  const faults: StartupFault[] = [];
  for (const { path, pattern } of patternsOf(settings)) {
    const message = await patternFault(pattern, { takesMaxLength: false });
    if (message !== undefined) faults.push({ file: settings.configFile, path: formatPath(path), message });
  }
  if (faults.length > 0) throw new StartupFaults(faults);
}

interface PlacedPattern {
  readonly path: KeyPath;
  readonly pattern: string;
}

function patternsOf(settings: HelperSettings): readonly PlacedPattern[] {
  const { onToolResult, onException, autoApprovalRules, useStrongModel } = settings;
  return [
    ...(useStrongModel === null ? [] : [{ path: ['useStrongModel', 'pattern'], pattern: useStrongModel.pattern }]),
    ...onToolResult.flatMap((rule, index) =>
      ('replace' in rule ? rule.replace : []).map(({ pattern }, entry): PlacedPattern => {
        return { path: ['onToolResult', index, 'replace', entry, 'pattern'], pattern };
      }),
    ),
    ...onException.flatMap(({ error }, index): readonly PlacedPattern[] =>
      error === undefined ? [] : [{ path: ['onException', index, 'error'], pattern: error }],
    ),
    ...autoApprovalRules.flatMap(({ when = {} }, index) =>
      Object.entries(when).flatMap(([name, { matches }]): readonly PlacedPattern[] => {
        const path = ['autoApprovalRules', index, 'when', name, 'matches'];
        return matches === undefined ? [] : [{ path, pattern: matches }];
      }),
    ),
  ];
}
