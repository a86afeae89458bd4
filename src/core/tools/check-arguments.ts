import { inexactParts } from '../base/exact-json.ts';
import { isDeeperThan, maxArgumentLevels } from '../base/json-depth.ts';
import { undeclaredFaults } from './declared-arguments.ts';
import type { ArgumentCheck, Tool } from './tool.ts';

/**
 * Checks arguments, whoever wrote them. A user is shown JSON, so what JSON cannot carry unchanged is a fault, and so is a name that the schema
 * neither declares nor allows (contract/confirmations.md#what-is-shown). A check that throws is a fault too: a plugin's own check may throw,
 * and the check of a recursive schema may go too deep.
 */
export function checkArguments(tool: Pick<Tool, 'parameters' | 'checkArguments'>, value: unknown): ArgumentCheck {
  if (isDeeperThan(maxArgumentLevels, value)) {
    return { ok: false, faults: [`arguments: must not be nested deeper than ${String(maxArgumentLevels)} levels`] };
  }
  const inexact = inexactParts(value);
  if (inexact.length > 0) return refused(inexact, 'exact');
  try {
    const check = tool.checkArguments(value);
    if (!check.ok) return check;
    const undeclared = undeclaredFaults(tool.parameters, check.value);
    return undeclared.length > 0 ? refused(undeclared, 'additionalProperties') : check;
  } catch {
    return { ok: false, faults: ['arguments: cannot be checked'] };
  }
}

function refused(
  parts: readonly { readonly path: string; readonly words: string }[],
  keyword: string,
): Extract<ArgumentCheck, { ok: false }> {
  return {
    ok: false,
    faults: parts.map(({ path, words }) => `${path === '' ? 'arguments' : path}: ${words}`),
    brokenRules: parts.map(({ path }) => ({ path, keyword })),
  };
}
