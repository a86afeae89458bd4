import type { LoadedPlugin } from '../adapters/plugin-directory/loaded-plugin.ts';
import type { HelperSettings } from '../config/settings.ts';
import { approvalRule } from '../core/confirmations/approval-rule.ts';
import { AutoApproval, type AutoApprovalRule } from '../core/confirmations/auto-approval.ts';
import type { CheckedDirection, TextCheck } from '../core/guardrails/text-check.ts';
import type { Logger } from '../core/ports/logger.ts';
import {
  type ExceptionMapper,
  exceptionMapper,
  type ExceptionTexts,
  exceptionTexts,
} from '../core/tools/exception-rules.ts';
import { globPredicate } from '../core/base/glob.ts';
import { type ToolResultTransform, toolResultTransform } from '../core/tools/result-rules.ts';
import type { Tool } from '../core/tools/tool.ts';
import { ToolPolicy } from '../core/tools/tool-policy.ts';
import { languageTags } from '../wire/client-settings.ts';
import { inTime } from './in-time.ts';
import type { KillSwitch } from './kill-switch.ts';
import { LiveToolbox } from './live-toolbox.ts';
import type { ToolProvider } from './providers/tool-provider.ts';
import { yamlPages } from './providers/yaml-pages.ts';

/** The sources of actions. */
export interface ToolSources {
  /** The sources in the order in which they treat results: plugins, then callbacks. */
  readonly providers: readonly ToolProvider[];
  /** The plugins, for the rules about tools that only plugins can have. */
  readonly plugins: readonly LoadedPlugin[];
  readonly killSwitch: Pick<KillSwitch, 'stops'>;
}

/** Everything the model may call, and the one policy for all of it. */
export interface ComposedTools {
  readonly toolbox: LiveToolbox;
  readonly policy: ToolPolicy;
  readonly autoApproval: AutoApproval | undefined;
  readonly transformResult: (toolName: string, result: unknown) => Promise<unknown>;
  /** The present checks of host applications on messages and replies. */
  readonly checks: (direction: CheckedDirection) => readonly TextCheck[];
  /** The hooks of plugins that choose messages for the strong model. */
  readonly routingHooks: readonly Pick<LoadedPlugin['hooks'], 'useStrongModel' | 'useStrongModelAsync'>[];
  readonly exceptionTexts: (error: Error, toolName: string, fallback: string) => Promise<ExceptionTexts>;
}

/**
 * Joins the rules of plugins and YAML about tools (contract/plugins.md#plugins). YAML rules cover every tool; a plugin's `isReadOnlyAction`
 * covers its own tools. YAML transformers run first, then those of plugins, then those of callbacks.
 * @throws StartupFaults when two tools or two pages share a name.
 */
export function composeTools(settings: HelperSettings, sources: ToolSources, log: Logger): ComposedTools {
  const { plugins, providers, killSwitch } = sources;
  return {
    toolbox: new LiveToolbox([yamlPages(settings), ...providers], log, languageTags[settings.language]),
    policy: composePolicy(settings, plugins, killSwitch),
    autoApproval: composeAutoApproval(settings, plugins),
    transformResult: composeTransform(settings, providers),
    checks: (direction) => {
      const found: TextCheck[] = [];
      for (const { checks } of providers) if (checks !== undefined) found.push(...checks(direction, settings));
      return found;
    },
    routingHooks: plugins.map(({ hooks }) => hooks),
    exceptionTexts: composeExceptionTexts(settings, plugins),
  };
}

function composePolicy(
  settings: HelperSettings,
  plugins: readonly LoadedPlugin[],
  killSwitch: ToolSources['killSwitch'],
): ToolPolicy {
  const approval = globPredicate(settings.requiresApproval);
  const readOnly = globPredicate(settings.isReadOnlyAction);
  return new ToolPolicy({
    requireConfirmation: settings.requireConfirmation,
    requireConfirmationForWrites: settings.requireConfirmationForWrites,
    isSwitchedOff: (tool, readOnly) => killSwitch.stops(tool, readOnly),
    requiresApproval: [
      (tool) => approval(tool.name),
      ...plugins.flatMap(({ hooks }) => {
        const { requiresApproval } = hooks;
        if (requiresApproval === undefined) return [];
        const ask = inTime(requiresApproval);
        return [(tool: Tool) => ask(tool.name)];
      }),
    ],
    isReadOnlyAction: [
      (tool) => readOnly(tool.name),
      ...plugins.flatMap(({ hooks, name }) => {
        const { isReadOnlyAction } = hooks;
        if (isReadOnlyAction === undefined) return [];
        const ask = inTime(isReadOnlyAction);
        return [(tool: Tool) => tool.owner === name && ask(tool.name)];
      }),
    ],
  });
}

/** YAML rules come first and cover every tool; a plugin's rules cover its own actions (contract/plugins.md#plugins). */
function composeAutoApproval(settings: HelperSettings, plugins: readonly LoadedPlugin[]): AutoApproval | undefined {
  if (settings.hitlMode === 'Blocking') return undefined;
  const ofPlugins = plugins.flatMap(({ hooks, tools }) => {
    const own = new Set(tools.map(({ name }) => name));
    return (hooks.autoApprovalRules ?? []).map((rule): AutoApprovalRule => {
      const approves = inTime(rule);
      return async (call) => {
        // Plain JavaScript may return anything: only true approves.
        const verdict: unknown = own.has(call.tool) && (await approves(call));
        return verdict === true;
      };
    });
  });
  return new AutoApproval({
    rules: [...settings.autoApprovalRules.map(approvalRule), ...ofPlugins],
    maxRounds: settings.maxAutoApprovalIterations,
  });
}

function composeTransform(
  settings: HelperSettings,
  providers: readonly ToolProvider[],
): ComposedTools['transformResult'] {
  const transforms: ToolResultTransform[] = [
    ...settings.onToolResult.map(toolResultTransform),
    ...providers.flatMap(({ transformResult }) => transformResult ?? []),
  ];
  return async (toolName, result) => {
    let current = result;
    for (const transform of transforms) current = await transform(toolName, current);
    return current;
  };
}

function composeExceptionTexts(
  settings: HelperSettings,
  plugins: readonly LoadedPlugin[],
): ComposedTools['exceptionTexts'] {
  const mappers: ExceptionMapper[] = [
    ...(settings.onException.length > 0 ? [exceptionMapper(settings.onException)] : []),
    ...plugins.flatMap(({ hooks }) => (hooks.onException === undefined ? [] : [inTime(hooks.onException)])),
  ];
  return (error, toolName, fallback) => exceptionTexts(error, toolName, { mappers, fallback });
}
