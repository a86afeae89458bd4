import type { ModelToolCall } from '../ports/chat-model.ts';
import { untilStopped } from '../turn/until-stopped.ts';
import { checkCall } from './check-call.ts';
import { askAndRun, completed, questionOf } from './invoke-tool.ts';
import type { ToolInvocation } from './tool-invocation.ts';
import type { ToolOutcome } from './tool-outcome.ts';

/**
 * Puts a question of a snapshot once more, under its old call id (wire.md 5). Roles, schema and what was decided elsewhere
 * were looked at just before (`reopen-turn.ts`); no rule answers in the user's place.
 */
export async function askAgain(
  call: ModelToolCall & { readonly callId: string },
  invocation: ToolInvocation,
): Promise<ToolOutcome> {
  const checked = checkCall(call, invocation);
  if ('status' in checked) return checked;
  return completed(call, invocation, async () => {
    const verdict = await untilStopped(invocation.services.policy.judge(checked.tool), invocation.turn.signal);
    return askAndRun(questionOf(checked, verdict, invocation), verdict, invocation);
  });
}
