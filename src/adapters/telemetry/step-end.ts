import type { Decision } from '../../core/confirmations/open-confirmations.ts';
import type { Verdict } from '../../core/guardrails/text-check.ts';
import type { TracedStep } from '../../core/ports/turn-trace.ts';
import type { RecordedOutcome } from '../../core/tools/tool-outcome.ts';
import { says, saysOfUsers } from './gen-ai.ts';
import type { Attributes } from './attributes.ts';

/** What a step came to; `error`: what kind of failure it was. */
export interface StepEnd {
  readonly attributes: Attributes;
  readonly error?: string;
}

/** Reads what a step gave, as its kind says what that is. */
export function stepEnd(step: TracedStep, value: unknown, includeSensitive: boolean): StepEnd {
  switch (step.kind) {
    case 'prompt':
      return { attributes: '' };
    case 'guardrail':
      return { attributes: says.verdict(verdictOf(value as Verdict | boolean)) }; // the value of such a step
    case 'retrieval':
      return { attributes: says.documents((value as readonly unknown[]).length) }; // the value of such a step
    case 'tool':
      return outcomeEnd(value as RecordedOutcome, includeSensitive); // the value of such a step
    case 'question':
      return decisionEnd(value as Decision); // the value of such a step
  }
}

/** Of the scope, only whether the message is out of it is known. */
function verdictOf(value: Verdict | boolean): string {
  if (typeof value === 'string') return value;
  return value ? 'out_of_scope' : 'in_scope';
}

/** A user who says no is no fault of anything. */
function outcomeEnd({ status, text }: RecordedOutcome, includeSensitive: boolean): StepEnd {
  const attributes = says.actionStatus(status) + (includeSensitive ? saysOfUsers.toolResult(text) : '');
  return status === 'failed' || status === 'refused' || status === 'unknown'
    ? { attributes, error: status }
    : { attributes };
}

function decisionEnd(decision: Decision): StepEnd {
  if (decision === 'lost') return { attributes: says.confirmationOutcome('lost') };
  const { outcome, by } = decision;
  return { attributes: says.confirmationOutcome(outcome) + says.confirmationBy(by) };
}
