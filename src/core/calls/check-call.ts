import { hasRepeatedNames } from '../base/repeated-names.ts';
import { checkArguments } from '../tools/check-arguments.ts';
import { findToolsName } from '../tools/tool-name.ts';
import type { Tool } from '../tools/tool.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import type { ToolCall } from './tool-call.ts';
import { outcomeOfServer, type ToolOutcome } from '../tools/tool-outcome.ts';

/** A tool that exists, and arguments that fit its parameters. */
export interface FittingCall {
  readonly tool: Tool;
  readonly argumentsValue: Readonly<Record<string, unknown>>;
}

/** Names no tools: a toolbox with `find_tools` has many tools, so a list of all would be long. */
const noSuchTool = `There is no tool with this name. Look for one with ${findToolsName}.`;

/** Checks the name and the arguments of a call. The faults go back to the model, which can correct itself. */
export function checkCall(call: ToolCall, toolbox: Toolbox): FittingCall | ToolOutcome {
  const tool = toolbox.find(call.name);
  if (tool === undefined) {
    if (toolbox.find(findToolsName) !== undefined) return outcomeOfServer('failed', noSuchTool);
    const names = toolbox.tools.map(({ name }) => name).join(', ');
    return outcomeOfServer('failed', `There is no tool with this name. The tools are: ${names || 'none'}.`);
  }
  const value = readArguments(call.arguments);
  if (value === undefined) {
    return outcomeOfServer('failed', 'The arguments are not valid JSON. Call the tool again with a JSON object.');
  }
  if (hasRepeatedNames(call.arguments, value)) {
    return outcomeOfServer(
      'failed',
      'The arguments have a name twice. Call the tool again with each name once. Nothing was run.',
    );
  }
  const check = checkArguments(tool, value);
  if (!check.ok) {
    return outcomeOfServer('failed', `The arguments do not fit:\n- ${check.faults.join('\n- ')}\nNothing was run.`);
  }
  return { tool, argumentsValue: check.value };
}

/** The arguments as the model wrote them; undefined when they are no JSON. */
function readArguments(written: string): unknown {
  if (written.trim() === '') return {};
  try {
    return JSON.parse(written);
  } catch {
    return undefined;
  }
}
