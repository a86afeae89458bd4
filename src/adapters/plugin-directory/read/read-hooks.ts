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
  'mcpCallerPrincipal',
  'skillFilter',
  'inputGuardrail',
  'useStrongModel',
  'useStrongModelAsync',
  'outputGuardrail',
  'configureChatClientPipeline',
  'onFeedback',
] as const satisfies readonly (keyof PluginHooks)[];
const rulesName = 'autoApprovalRules' satisfies keyof PluginHooks;

/** Checks that every hook is known, and is a function or a list of functions. Callers check what the functions return. */
export function readHooks(hooks: Members, report: ReportFault): PluginHooks {
  const reader = new MemberReader(hooks, report);
  reader.allowOnly([...functionNames, rulesName]);
  for (const name of functionNames) reader.optionalFunction(name);
  for (const rule of reader.list(rulesName)) {
    if (typeof rule !== 'function') report(rulesName, 'must be a list of functions');
  }
  // Every member is now known, and a function or a list of functions. Callers check everything else.
  return hooks;
}
