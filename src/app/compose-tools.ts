import type { LoadedPlugin } from '../adapters/plugin-directory/loaded-plugin.ts';
import type { HelperSettings } from '../config/settings.ts';
import type { StartupFault } from '../core/errors/startup-fault.ts';
import { StartupFaults } from '../core/errors/startup-fault.ts';
import { navigateTool } from '../core/pages/navigate-tool.ts';
import type { Page } from '../core/pages/page.ts';
import {
  type ExceptionMapper,
  exceptionMapper,
  type ExceptionTexts,
  exceptionTexts,
} from '../core/tools/exception-rules.ts';
import { globPredicate } from '../core/tools/glob.ts';
import { type ToolResultTransform, toolResultTransform } from '../core/tools/result-rules.ts';
import type { Tool } from '../core/tools/tool.ts';
import { ToolPolicy } from '../core/tools/tool-policy.ts';
import { Toolbox } from '../core/tools/toolbox.ts';
import { inTime } from './in-time.ts';

/** Everything the model may call, and the one policy over it. */
export interface ComposedTools {
  readonly toolbox: Toolbox;
  readonly pages: readonly Page[];
  readonly policy: ToolPolicy;
  readonly transformResult: (toolName: string, result: unknown) => Promise<unknown>;
  readonly exceptionTexts: (error: Error, toolName: string, fallback: string) => Promise<ExceptionTexts>;
}

/**
 * Joins what plugins and YAML say about tools (configuration.md 2): YAML forms cover every tool, a plugin's
 * `isReadOnlyAction` its own; YAML transformers run before those of plugins.
 * @throws StartupFaults when two pages share a name.
 */
export function composeTools(settings: HelperSettings, plugins: readonly LoadedPlugin[]): ComposedTools {
  const pages = composePages(settings, plugins);
  const tools: Tool[] = plugins.flatMap((plugin) => plugin.tools);
  if (pages.length > 0) tools.push(navigateTool(pages));
  return {
    toolbox: new Toolbox(tools),
    pages,
    policy: composePolicy(settings, plugins),
    transformResult: composeTransform(settings, plugins),
    exceptionTexts: composeExceptionTexts(settings, plugins),
  };
}

function composePages(settings: HelperSettings, plugins: readonly LoadedPlugin[]): readonly Page[] {
  const placed = [
    ...settings.pages.map((page) => ({ page, file: settings.configFile })),
    ...plugins.flatMap((plugin) => plugin.pages.map((page) => ({ page, file: plugin.file }))),
  ];
  const first = new Map<string, string>();
  const faults: StartupFault[] = [];
  for (const { page, file } of placed) {
    const earlier = first.get(page.name);
    if (earlier === undefined) first.set(page.name, file);
    else faults.push({ file, path: `pages.${page.name}`, message: `a page with this name is already in ${earlier}` });
  }
  if (faults.length > 0) throw new StartupFaults(faults);
  return placed.map(({ page }) => page);
}

function composePolicy(settings: HelperSettings, plugins: readonly LoadedPlugin[]): ToolPolicy {
  const approval = globPredicate(settings.requiresApproval);
  const readOnly = globPredicate(settings.isReadOnlyAction);
  return new ToolPolicy({
    requireConfirmation: settings.requireConfirmation,
    requireConfirmationForWrites: settings.requireConfirmationForWrites,
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

function composeTransform(
  settings: HelperSettings,
  plugins: readonly LoadedPlugin[],
): ComposedTools['transformResult'] {
  const transforms: ToolResultTransform[] = [
    ...settings.onToolResult.map(toolResultTransform),
    ...plugins.flatMap(({ hooks }) => (hooks.onToolResult === undefined ? [] : [inTime(hooks.onToolResult)])),
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
