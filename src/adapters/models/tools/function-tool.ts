import type { ToolDeclaration } from '../../../core/ports/chat-model.ts';

/** A tool in the OpenAI form. One whose parameters are an empty schema takes no arguments, and is told without any. */
export function functionTool({ name, description, parameters }: ToolDeclaration): object {
  const hasParameters = Object.keys(parameters).length > 0;
  return { type: 'function', function: { name, description, ...(hasParameters ? { parameters } : {}) } };
}
