import type { PluginHooks } from '../../plugin-api/plugin.ts';
import type { ReportFault } from './fault-report.ts';
import { type Members, MemberReader } from './member-reader.ts';

const hookNames = [
  'requiresApproval',
  'isReadOnlyAction',
  'onToolResult',
  'onException',
  'transformClaims',
] as const satisfies readonly (keyof PluginHooks)[];

/** Checks that every hook is a known one and a function; what it returns is checked where it is used. */
export function readHooks(hooks: Members, report: ReportFault): PluginHooks {
  const reader = new MemberReader(hooks, report);
  reader.allowOnly(hookNames);
  for (const name of hookNames) reader.optionalFunction(name);
  // Every member is known and a function now; its author owes the rest, and its callers distrust the outcome.
  return hooks;
}
