import { outcomeUnknown, ToolChanged, ToolInterrupted, ToolUnavailable } from '../tools/tool-faults.ts';
import type { ToolRun } from '../tools/run-tool.ts';
import type { Tool } from '../tools/tool.ts';

/** A run that gave no result. */
export type FailedRun = Exclude<ToolRun, { readonly kind: 'returned' }>;

/**
 * What a run without a result says of its action. `unknown`: the action may have taken effect. `changed`: the
 * tool is another one than the user was asked about. `exception`: the action itself threw.
 * `cancelled`: a Stop came before the action did anything.
 */
export type RunFault = 'unknown' | 'unavailable' | 'changed' | 'exception' | 'cancelled' | 'timed-out';

/** `again`: the call was made before, and its first run may have taken effect. */
export function faultOfRun(
  run: FailedRun,
  { tool, readOnly, again = false }: { readonly tool: Tool; readonly readOnly: boolean; readonly again?: boolean },
): RunFault {
  if (run.kind === 'threw') {
    if (again && outcomeUnknown(run.error)) return 'unknown';
    if (run.error instanceof ToolUnavailable) return 'unavailable';
    if (run.error instanceof ToolChanged) return 'changed';
    return run.error instanceof ToolInterrupted && !readOnly ? 'unknown' : 'exception';
  }
  // A write that was interrupted may have taken effect: the honest status is `unknown` (contract/confirmations.md#the-journal).
  if (!readOnly && tool.isUntouched?.() !== true) return 'unknown';
  return run.because === 'stopped' ? 'cancelled' : 'timed-out';
}
