import { tenantOf } from '../identity/principal.ts';
import { titlesMember } from '../tools/action-words.ts';
import { runTool } from '../tools/run-tool.ts';
import { meteredName } from '../tools/tool-name.ts';
import type { ToolOutcome } from '../tools/tool-outcome.ts';
import { callContext } from './call-context.ts';
import { tellAction } from './report-outcome.ts';
import { outcomeOfRun } from './run-outcome.ts';
import type { CheckedCall } from './tool-call.ts';

/** Longest line of progress that is shown, in characters. */
export const maxProgressLength = 500;

/** Runs a call that needs no answer, or that has its answer. Never rejects. */
export async function runCall(call: CheckedCall): Promise<ToolOutcome> {
  const { tool, at, argumentsValue, readOnly, scope } = call;
  const { callId } = call.call;
  const { turn, agent, services } = scope;
  const { clock, metrics } = services;
  tellAction(scope, `${at}/executing`, {
    type: 'action-executing',
    callId,
    action: tool.name,
    title: tool.title,
    ...titlesMember(tool),
    agent: agent.name,
    ...(readOnly ? { arguments: argumentsValue } : {}),
  });
  turn.callIs(callId, 'running');
  let lines = 0;
  let isSettled = false;
  const startedAt = clock.elapsed();
  const run = await runTool(tool, argumentsValue, {
    ...callContext(call),
    stop: turn.signal,
    progress: (text) => {
      if (isSettled) return;
      tellAction(scope, `${at}/progress/${String(lines)}`, {
        type: 'action-progress',
        callId,
        text: text.slice(0, maxProgressLength),
      });
      lines += 1;
    },
  });
  isSettled = true;
  const counted = metrics.of(tenantOf(turn.request.caller.principal));
  counted.toolRan({ action: meteredName(tool.name), durationMs: clock.elapsed() - startedAt });
  return outcomeOfRun(run, call);
}
