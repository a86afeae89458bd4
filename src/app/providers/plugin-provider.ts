import type { LoadedPlugin } from '../../adapters/plugin-directory/loaded-plugin.ts';
import type { InputCheck } from '../../core/guardrails/input-check.ts';
import { inTime } from '../in-time.ts';
import { pathInPages } from './page-path.ts';
import type { ToolProvider } from './tool-provider.ts';

/** The actions and pages of a plugin, which never change. */
export function pluginProvider(plugin: LoadedPlugin): ToolProvider {
  const { file, hooks, tools, pages } = plugin;
  const checks = hooks.inputGuardrail === undefined ? [] : [inputCheck(plugin.name, hooks.inputGuardrail)];
  return {
    name: `plugin "${plugin.name}" (${file})`,
    offer: () => ({ tools, pages }),
    placeOf: (kind, name) => ({ file, path: pathInPages(kind, name) }),
    ...(hooks.onToolResult === undefined ? {} : { transformResult: inTime(hooks.onToolResult) }),
    inputChecks: () => checks,
    knowledgeSources: () => plugin.sources ?? [],
    start: () => plugin.start(),
    readiness: () => [],
    warnings: () => [],
    close: () => plugin.stop(),
  };
}

function inputCheck(name: string, isSafe: NonNullable<LoadedPlugin['hooks']['inputGuardrail']>): InputCheck {
  return { name: `plugin ${name}`, isSafe: async ({ text }, signal) => isSafe(text, signal) };
}
