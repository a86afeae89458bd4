/** The package's public surface: what a plugin imports from `helper` (extending.md 1). */
export { card, defineAction, definePlugin, navigate, uiAction } from './plugin-api/index.ts';
export type {
  ActionContext,
  ActionDefinition,
  ActionLog,
  ActionPage,
  ActionUser,
  CardResult,
  NavigationResult,
  PageDefinition,
  ParametersSchema,
  PluginDefinition,
  PluginHooks,
  PluginHost,
  RuledActionCall,
  UiActionResult,
} from './plugin-api/index.ts';
