import type { LoadedPlugin } from '../../adapters/plugin-directory/loaded-plugin.ts';
import { ownToolsOf } from '../../core/agents/own-tools.ts';
import type { TextCheck } from '../../core/guardrails/text-check.ts';
import { inTime } from '../in-time.ts';
import { pathInPages } from './page-path.ts';
import type { ToolProvider } from './tool-provider.ts';

/** The actions and pages of a plugin, which never change. */
export function pluginProvider(plugin: LoadedPlugin): ToolProvider {
  const { file, hooks, tools, pages } = plugin;
  const ownTools = ownToolsOf(plugin.agents ?? []);
  const checks = {
    input: textChecks(plugin.name, hooks.inputGuardrail),
    output: textChecks(plugin.name, hooks.outputGuardrail),
  };
  return {
    name: `plugin "${plugin.name}" (${file})`,
    offer: () => ({ tools, ownTools, pages }),
    placeOf: (kind, name) => ({ file, path: pathInPages(kind, name) }),
    ...(hooks.onToolResult === undefined ? {} : { transformResult: inTime(hooks.onToolResult) }),
    checks: (direction) => checks[direction],
    knowledgeSources: () => plugin.sources ?? [],
    start: () => plugin.start(),
    readiness: () => [],
    warnings: () => [],
    close: () => plugin.stop(),
  };
}

function textChecks(name: string, isSafe: LoadedPlugin['hooks']['inputGuardrail']): readonly TextCheck[] {
  if (isSafe === undefined) return [];
  return [{ name: `plugin ${name}`, isSafe: async ({ text }, signal) => isSafe(text, signal) }];
}
