import { linkedSignal } from '../base/linked-signal.ts';
import { untilStopped } from '../base/until-stopped.ts';
import { TurnError } from '../errors/turn-error.ts';
import type { Logger } from '../ports/logger.ts';
import type { CheckedDirection, CheckedText, Guard, TextCheck, Verdict } from './text-check.ts';

const what = { input: 'a message', output: 'a reply' } as const satisfies Record<CheckedDirection, string>;

/**
 * Asks all checks of a guard about a text at the same time. The first check that finds the text unsafe decides, and the other checks are
 * then stopped. A check that fails or takes too long is logged and gives no verdict.
 * @throws the signal's reason once that aborts.
 */
export async function checkText(
  checked: CheckedText & { readonly direction: CheckedDirection },
  { checks, timeoutMs }: Guard,
  { signal, log }: { readonly signal: AbortSignal; readonly log: Logger },
): Promise<Verdict> {
  const over = linkedSignal(signal, timeoutMs);
  let isDecided = false;
  const ask = async (check: TextCheck): Promise<boolean | undefined> => {
    const verdict = await verdictOf(check, checked, over.signal).catch((error: unknown) => {
      signal.throwIfAborted();
      // A budget that is used up refuses the message, even where a message without a verdict may pass.
      if (error instanceof TurnError) throw error;
      if (isDecided) return undefined;
      const reason = over.isLate ? `no answer within ${String(timeoutMs)} ms` : error;
      log.warn({ check: check.name, reason }, `a check of ${what[checked.direction]} gave no verdict`);
      return undefined;
    });
    if (verdict === false) {
      isDecided = true;
      over.abort(new Error('another check has found the text unsafe'));
    }
    return verdict;
  };
  try {
    const verdicts = await Promise.all(checks.map(ask));
    if (verdicts.includes(false)) return 'unsafe';
    return verdicts.includes(undefined) ? 'none' : 'safe';
  } finally {
    over.release();
  }
}

async function verdictOf(check: TextCheck, checked: CheckedText, signal: AbortSignal): Promise<boolean | undefined> {
  // Code of hosts may return anything: only true and false are verdicts.
  const verdict: unknown = await untilStopped(check.isSafe(checked, signal), signal);
  if (typeof verdict === 'boolean') return verdict;
  throw new Error('the answer was neither true nor false');
}
