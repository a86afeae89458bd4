import { isDeeperThan, maxArgumentLevels } from '../base/json-depth.ts';
import type { ArgumentCheck, Tool } from './tool.ts';

/**
 * Checks arguments, and counts a check that throws as a fault: a plugin's own check may throw, and the check of a
 * recursive schema may go too deep.
 */
export function checkArguments(tool: Tool, value: unknown): ArgumentCheck {
  if (isDeeperThan(maxArgumentLevels, value)) {
    return { ok: false, faults: [`arguments: must not be nested deeper than ${String(maxArgumentLevels)} levels`] };
  }
  try {
    return tool.checkArguments(value);
  } catch {
    return { ok: false, faults: ['arguments: cannot be checked'] };
  }
}
