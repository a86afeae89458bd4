import type { Decision } from '../../core/confirmations/open-confirmations.ts';
import type { Verdict } from '../../core/guardrails/text-check.ts';
import type { TracedStep } from '../../core/ports/turn-trace.ts';
import type { RecordedOutcome } from '../../core/tools/tool-outcome.ts';
import { says, saysOfUsers } from './gen-ai.ts';
import type { Attributes } from './attributes.ts';

/** The facts about the end of a step. `error` is the kind of a failure. */
export interface StepEnd {
  readonly attributes: Attributes;
  readonly error?: string;
}

/** Reads the value of a step, whose type depends on the kind of the step. */
export function stepEnd(step: TracedStep, value: unknown, includeSensitive: boolean): StepEnd {
  switch (step.kind) {
    case 'prompt':
      return { attributes: '' };
    case 'guardrail':
      return { attributes: says.verdict(verdictOf(value as Verdict | boolean)) }; // a step of this kind has this value
    case 'retrieval':
      return { attributes: says.documents((value as readonly unknown[]).length) }; // a step of this kind has this value
    case 'tool':
      return outcomeEnd(value as RecordedOutcome, includeSensitive); // a step of this kind has this value
    case 'agent':
      return agentEnd(value as { readonly status: string }); // a step of this kind has this value
    case 'question':
      return decisionEnd(value as Decision); // a step of this kind has this value
  }
}

/** The verdict of a guardrail. A check of the scope says only whether the message is out of scope. */
function verdictOf(value: Verdict | boolean): string {
  if (typeof value === 'string') return value;
  return value ? 'out_of_scope' : 'in_scope';
}

/** The end of a call of a tool. A user who declines causes no error. */
export function outcomeEnd(
  { status, text }: { readonly status: string; readonly text: string },
  includeSensitive: boolean,
): StepEnd {
  const attributes = says.actionStatus(status) + (includeSensitive ? saysOfUsers.toolResult(text) : '');
  return status === 'failed' || status === 'refused' || status === 'unknown'
    ? { attributes, error: status }
    : { attributes };
}

function agentEnd({ status }: { readonly status: string }): StepEnd {
  return status === 'succeeded' ? { attributes: '' } : { attributes: '', error: status };
}

function decisionEnd(decision: Decision): StepEnd {
  if (decision === 'lost') return { attributes: says.confirmationOutcome('lost') };
  const { outcome, by } = decision;
  return { attributes: says.confirmationOutcome(outcome) + says.confirmationBy(by) };
}
