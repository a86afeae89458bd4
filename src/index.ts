/**
 * The package's public surface: what a plugin imports from `helper` (contract/plugins.md#plugins), and what a host that runs Node mounts or
 * calls (contract/in-process.md).
 */
export { createHelper, HelperError, StartupFaults } from './app/create-helper.ts';
export type {
  ApproveOptions,
  CreateHelperOptions,
  Helper,
  HelperConfiguration,
  HelperEvent,
  HelperSession,
  HelperTurn,
  HelperUser,
  RestoredConversation,
  SendOptions,
  StartupFault,
} from './app/create-helper.ts';
export { helperPlugin, type HelperPluginOptions } from './app/helper-plugin.ts';
export { card, content, defineAction, definePlugin, navigate, uiAction } from './plugin-api/index.ts';
export type {
  ActionContext,
  ActionDefinition,
  ActionLog,
  ActionPage,
  ActionUser,
  AgentContext,
  AgentPiece,
  AgentToolCall,
  AgentUsage,
  AnsweringAgent,
  CardResult,
  ContentPart,
  ContentResult,
  DemoColumn,
  DemoList,
  DemoTone,
  McpCaller,
  McpRequest,
  NavigationResult,
  PageDefinition,
  ParametersSchema,
  PipelineModel,
  PipelineReply,
  PipelineRequest,
  PipelineSink,
  PluginDefinition,
  PluginHooks,
  PluginHost,
  ReplyFeedback,
  RuledActionCall,
  UiActionResult,
} from './plugin-api/index.ts';
