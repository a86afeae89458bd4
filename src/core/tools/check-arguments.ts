import type { ArgumentCheck, Tool } from './tool.ts';

/** A check of a plugin's own making may throw, and one of a recursive schema may be led too deep: both are faults. */
export function checkArguments(tool: Tool, value: unknown): ArgumentCheck {
  try {
    return tool.checkArguments(value);
  } catch {
    return { ok: false, faults: ['arguments: cannot be checked'] };
  }
}
