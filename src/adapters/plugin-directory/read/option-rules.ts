import type { AgentModelOptions, TeamOptionsDefinition } from '../../../plugin-api/agents.ts';
import { hasMembers, type Members } from '../../shared/members.ts';
import type { ReportFault } from '../fault-report.ts';
import { MemberReader } from './member-reader.ts';

/** What an option may be: the test, and its words. */
interface OptionRule {
  readonly fits: (value: unknown) => boolean;
  readonly allowed: string;
}

const numberFrom = (minimum: number, maximum: number): OptionRule => ({
  fits: (value) => typeof value === 'number' && value >= minimum && value <= maximum,
  allowed: `a number from ${String(minimum)} to ${String(maximum)}`,
});
const wholeFrom = (minimum: number, maximum: number): OptionRule => ({
  fits: (value) => Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum,
  allowed: `a whole number from ${String(minimum)} to ${String(maximum)}`,
});
const text: OptionRule = { fits: isText, allowed: 'a text that is not blank' };
const flag: OptionRule = { fits: (value) => typeof value === 'boolean', allowed: 'true or false' };
const most = Number.MAX_SAFE_INTEGER;

/** The options of a model. */
export const modelOptionRules: Readonly<Record<keyof AgentModelOptions, OptionRule>> = {
  temperature: numberFrom(0, 2),
  topP: numberFrom(0, 1),
  topK: wholeFrom(1, most),
  maxOutputTokens: wholeFrom(1, most),
  frequencyPenalty: numberFrom(-2, 2),
  presencePenalty: numberFrom(-2, 2),
  seed: wholeFrom(-most, most),
  stopSequences: { fits: (value) => Array.isArray(value) && value.every(isText), allowed: 'a list of texts' },
  additionalProperties: { fits: hasMembers, allowed: 'an object' },
};

/** The options of a team. */
export const teamOptionRules: Readonly<Record<keyof TeamOptionsDefinition, OptionRule>> = {
  maxRounds: wholeFrom(1, 1000),
  maxTokens: wholeFrom(1, most),
  chainOnlyAgentResponses: flag,
  aggregator: {
    fits: (value) => value === 'concat' || value === 'last' || value === 'model',
    allowed: 'one of concat, last, model',
  },
  manager: text,
  start: text,
  handoffs: {
    fits: (value) => Array.isArray(value) && value.every(isHandoff),
    allowed: 'a list of {from, to, reason?}',
  },
  returnToPrevious: flag,
  maxStalls: wholeFrom(1, 1000),
  maxResets: wholeFrom(0, 100),
};

/** The options that fit their rules. Every other member is reported. */
export function readByRules(
  members: Members,
  rules: Readonly<Record<string, OptionRule>>,
  report: ReportFault,
): Members {
  new MemberReader(members, report).allowOnly(Object.keys(rules));
  const fitting = Object.entries(members).filter(([name, value]) => {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined || value === undefined) return false;
    if (!rule.fits(value)) report(name, `must be ${rule.allowed}`);
    return rule.fits(value);
  });
  return Object.fromEntries(fitting);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function isHandoff(value: unknown): boolean {
  if (!hasMembers(value)) return false;
  return isText(value['from']) && isText(value['to']) && (value['reason'] === undefined || isText(value['reason']));
}
