import type { PluginHooks } from '../../../plugin-api/plugin.ts';
import type { Members } from '../../shared/members.ts';
import type { ReportFault } from '../fault-report.ts';
import { MemberReader } from './member-reader.ts';

const functionNames = [
  'requiresApproval',
  'isReadOnlyAction',
  'onToolResult',
  'onException',
  'transformClaims',
  'skillFilter',
  'inputGuardrail',
  'outputGuardrail',
  'configureChatClientPipeline',
] as const satisfies readonly (keyof PluginHooks)[];
const rulesName = 'autoApprovalRules' satisfies keyof PluginHooks;

/** Checks that every hook is a known one and a function or a list of functions; what it returns is checked where it is used. */
export function readHooks(hooks: Members, report: ReportFault): PluginHooks {
  const reader = new MemberReader(hooks, report);
  reader.allowOnly([...functionNames, rulesName]);
  for (const name of functionNames) reader.optionalFunction(name);
  for (const rule of reader.list(rulesName)) {
    if (typeof rule !== 'function') report(rulesName, 'must be a list of functions');
  }
  // Every member is known and a function now; its author owes the rest, and its callers distrust the outcome.
  return hooks;
}
