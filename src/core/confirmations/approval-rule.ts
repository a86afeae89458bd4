import { globPredicate } from '../base/glob.ts';
import type { AutoApprovalRule } from './auto-approval.ts';
import { canonicalJson } from '../base/canonical-json.ts';

/** What one argument must be. Every condition that is present must hold. */
export interface ArgumentCondition {
  readonly equals?: unknown;
  readonly in?: readonly unknown[];
  readonly lessThan?: number;
  readonly greaterThan?: number;
  /** A regular expression that the whole text or a part of it matches. */
  readonly matches?: string;
}

/** The YAML form of one auto-approval rule (contract/confirmations.md#rules-in-place-of-the-user). */
export interface ApprovalRuleDefinition {
  /** Tool-name glob. */
  readonly tool: string;
  readonly when?: Readonly<Record<string, ArgumentCondition>>;
  /** A user needs only one of these roles. Left out: the rule holds for everybody. */
  readonly roles?: readonly string[];
}

/** Turns one YAML rule into a function. An argument that is missing fulfils no condition. */
export function approvalRule(definition: ApprovalRuleDefinition): AutoApprovalRule {
  const conditions = Object.entries(definition.when ?? {}).map(([name, condition]) => {
    const holds = compiled(condition);
    return (argumentsValue: Readonly<Record<string, unknown>>): boolean =>
      Object.hasOwn(argumentsValue, name) && holds(argumentsValue[name]);
  });
  const { roles } = definition;
  const covers = globPredicate([definition.tool]);
  return (call) =>
    covers(call.tool) &&
    (roles === undefined || roles.some((role) => call.user.roles.includes(role))) &&
    conditions.every((condition) => condition(call.arguments));
}

function compiled(condition: ArgumentCondition): (value: unknown) => boolean {
  const pattern = condition.matches === undefined ? undefined : new RegExp(condition.matches, 'u');
  const allowed = condition.in?.map(canonicalJson);
  const wanted = 'equals' in condition ? canonicalJson(condition.equals) : undefined;
  const { lessThan, greaterThan } = condition;
  return (value) =>
    (wanted === undefined || canonicalJson(value) === wanted) &&
    (allowed === undefined || allowed.includes(canonicalJson(value))) &&
    (lessThan === undefined || (typeof value === 'number' && value < lessThan)) &&
    (greaterThan === undefined || (typeof value === 'number' && value > greaterThan)) &&
    (pattern === undefined || (typeof value === 'string' && pattern.test(value)));
}
