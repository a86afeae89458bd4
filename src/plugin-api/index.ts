export { defineAction } from './action.ts';
export type { ActionContext, ActionDefinition, ActionLog, ActionPage, ActionUser, ParametersSchema } from './action.ts';
export type { AgentContext, AgentPiece, AgentToolCall, AgentUsage, AnsweringAgent } from './answering-agent.ts';
export type { DemoColumn, DemoList, DemoTone } from './demo-list.ts';
export type { PipelineModel, PipelineReply, PipelineRequest, PipelineSink } from './pipeline.ts';
export { definePlugin } from './plugin.ts';
export type { PageDefinition, PluginDefinition, PluginHooks, PluginHost, RuledActionCall } from './plugin.ts';
export { card, content, navigate, uiAction } from './results.ts';
export type { CardResult, ContentPart, ContentResult, NavigationResult, UiActionResult } from './results.ts';
