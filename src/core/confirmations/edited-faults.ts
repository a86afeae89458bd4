import type { ArgumentRuleTexts, ServerTexts } from '../language/server-texts.ts';
import type { ArgumentCheck, BrokenRule, Tool } from '../tools/tool.ts';
import { labelOfParameter } from './confirmation-request.ts';

const textNames: Readonly<Record<string, keyof ArgumentRuleTexts>> = {
  required: 'missing',
  minLength: 'tooShort',
  maxLength: 'tooLong',
  minimum: 'tooSmall',
  maximum: 'tooLarge',
  exclusiveMinimum: 'notMore',
  exclusiveMaximum: 'notLess',
  minItems: 'tooFew',
  maxItems: 'tooMany',
  enum: 'notOneOf',
  const: 'notOneOf',
};

/** A broken rule of alternatives replaces the faults of its alternatives, since those would contradict one another. */
const alternatives = new Set(['anyOf', 'oneOf', 'not', 'if']);

/** The check of arguments that a user changed, with its faults in the user's words: labels, and no words of schemas. */
export function wordedForUser(check: ArgumentCheck, tool: Pick<Tool, 'parameters'>, texts: ServerTexts): ArgumentCheck {
  if (check.ok || check.brokenRules === undefined) return check;
  const rules = new Map<string, BrokenRule>();
  for (const rule of check.brokenRules) {
    if (!rules.has(rule.path) || alternatives.has(rule.keyword)) rules.set(rule.path, rule);
  }
  const faults = [...rules.values()].map((rule) => worded(rule, tool, texts));
  return { ok: false, faults };
}

function worded(rule: BrokenRule, tool: Pick<Tool, 'parameters'>, texts: ServerTexts): string {
  const label = labelOf(rule.path, tool);
  return label === '' ? textOf(rule, texts) : `${label}: ${textOf(rule, texts)}`;
}

function textOf({ keyword, limit = '' }: BrokenRule, { argumentRules }: ServerTexts): string {
  const name = keyword === 'type' && limit === 'integer' ? 'notWhole' : (textNames[keyword] ?? 'other');
  return argumentRules[name].replace('{limit}', () => limit);
}

/** The label of an argument, followed by the place in it: `Lines[0].amount`. */
function labelOf(path: string, { parameters }: Pick<Tool, 'parameters'>): string {
  const [name = ''] = /^[^.[]*/.exec(path) ?? [];
  return `${labelOfParameter(parameters, name)}${path.slice(name.length)}`;
}
