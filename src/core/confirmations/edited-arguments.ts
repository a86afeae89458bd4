import { canonicalJson } from '../base/canonical-json.ts';
import { HelperError } from '../errors/helper-error.ts';
import type { ArgumentCheck } from '../tools/tool.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** What the user answers (contract/confirmations.md#answering). */
export interface ConfirmationAnswer {
  readonly actionId: string;
  readonly approved: boolean;
  readonly remember?: boolean;
  readonly arguments?: Arguments;
  /** Who answers, as log and journal name it: a user key or the keyed hash of an address. Left out: the caller's user key. */
  readonly presenter?: string;
  /** What the page of the question was given, where it has one. */
  readonly proof?: string;
  /** The request that brought the answer, for the log. */
  readonly requestId?: string;
}

/** What a question allows its answer. */
export interface AnswerRules {
  readonly argumentsValue: Arguments;
  readonly canRemember: boolean;
  /** Finds the faults of changed arguments, worded for the user. Undefined: the arguments cannot be changed. */
  readonly checkEdited: ((value: Arguments) => ArgumentCheck) | undefined;
}

/**
 * The changed arguments. Undefined when they equal the arguments that were shown. @throws HelperError
 * `invalid_request`.
 */
export function editedArguments(answer: ConfirmationAnswer, rules: AnswerRules): Arguments | undefined {
  if (answer.remember === true && !rules.canRemember) {
    throw refused('This confirmation cannot be remembered: its canRemember is false.');
  }
  if (answer.arguments === undefined) return undefined;
  const { checkEdited } = rules;
  if (checkEdited === undefined) {
    throw refused('The arguments of this action cannot be edited: its editable is false.');
  }
  if (!answer.approved) throw refused('Arguments come with an approval only.');
  const check = checkEdited(answer.arguments);
  if (!check.ok) throw refused(check.faults.join('; '));
  return canonicalJson(check.value) === canonicalJson(rules.argumentsValue) ? undefined : check.value;
}

function refused(message: string): HelperError {
  return new HelperError('invalid_request', message);
}
