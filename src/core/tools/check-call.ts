import type { Principal } from '../identity/principal.ts';
import type { ModelToolCall } from '../ports/chat-model.ts';
import { checkArguments } from './check-arguments.ts';
import type { KeptContext } from './kept-call.ts';
import type { Tool } from './tool.ts';
import type { ToolInvocation } from './tool-invocation.ts';
import type { ToolOutcome } from './tool-outcome.ts';

/** A call whose tool exists and whose arguments fit. */
export interface CheckedCall {
  readonly callId: string;
  readonly tool: Tool;
  readonly argumentsValue: Readonly<Record<string, unknown>>;
  /** For whom it runs, with the roles known when it was answered; left out, as known when the turn began. */
  readonly principal?: Principal;
  /** It may have run before: it is made again as it was. */
  readonly again?: KeptContext;
}

/** Unknown names, broken JSON and arguments that do not fit go back to the model, which can correct itself. */
export function checkCall(
  call: ModelToolCall & { readonly callId: string },
  invocation: Pick<ToolInvocation, 'toolbox'>,
): CheckedCall | ToolOutcome {
  const tool = invocation.toolbox.find(call.name);
  if (tool === undefined) {
    const names = invocation.toolbox.tools.map(({ name }) => name).join(', ');
    return { status: 'failed', text: `There is no tool with this name. The tools are: ${names || 'none'}.` };
  }
  let value: unknown;
  try {
    value = call.arguments.trim() === '' ? {} : JSON.parse(call.arguments, refusePrototypes);
  } catch {
    return { status: 'failed', text: 'The arguments are not valid JSON. Call the tool again with a JSON object.' };
  }
  const check = checkArguments(tool, value);
  if (!check.ok) {
    return { status: 'failed', text: `The arguments do not fit:\n- ${check.faults.join('\n- ')}\nNothing was run.` };
  }
  return { callId: call.callId, tool, argumentsValue: check.value };
}

/** An action that copies its arguments carelessly would let `__proto__` choose what its objects inherit. */
function refusePrototypes(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new SyntaxError('__proto__ is not allowed');
  return value;
}
