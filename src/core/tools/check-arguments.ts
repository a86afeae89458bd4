import { isDeeperThan, maxArgumentLevels } from '../base/json-depth.ts';
import type { ArgumentCheck, Tool } from './tool.ts';

/** A check of a plugin's own making may throw, and one of a recursive schema may be led too deep: both are faults. */
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
