import { influencedMember } from '../provenance/influences.ts';
import type { Tool } from '../tools/tool.ts';
import type { ConfirmationArgument, ConfirmationReason, ConfirmationRequest, Influence } from '../events/turn-event.ts';

/** What the user is asked (contract/confirmations.md#what-is-shown): the action's own words, never the model's, and every argument as it will run. */
export function confirmationRequest(options: {
  readonly actionId: string;
  readonly callId: string;
  readonly tool: Tool;
  readonly argumentsValue: Readonly<Record<string, unknown>>;
  readonly agent: string;
  readonly reason: ConfirmationReason;
  readonly canRemember: boolean;
  /** Epoch milliseconds; undefined when confirmations do not expire. */
  readonly expiresAt: number | undefined;
  /** Where the call comes from (contract/provenance.md). */
  readonly provenance: { readonly influencedBy: readonly Influence[]; readonly notFromUser: ReadonlySet<string> };
}): ConfirmationRequest {
  const { tool } = options;
  return {
    actionId: options.actionId,
    callId: options.callId,
    action: tool.name,
    title: tool.title,
    description: tool.description,
    arguments: labelled(tool.parameters, options.argumentsValue, options.provenance.notFromUser),
    agent: options.agent,
    reason: options.reason,
    canRemember: options.canRemember,
    editable: tool.editable,
    ...(tool.destructive === true ? { destructive: true } : {}),
    ...(options.expiresAt === undefined ? {} : { expiresAt: new Date(options.expiresAt).toISOString() }),
    ...influencedMember(options.provenance.influencedBy),
  };
}

/** The label of a parameter for users: its title, or its name. */
export function labelOfParameter(parameters: Readonly<Record<string, unknown>>, name: string): string {
  const title = record(record(parameters['properties'])[name])['title'];
  return typeof title === 'string' && title !== '' ? title : name;
}

function labelled(
  parameters: Readonly<Record<string, unknown>>,
  argumentsValue: Readonly<Record<string, unknown>>,
  notFromUser: ReadonlySet<string>,
): ConfirmationArgument[] {
  return Object.entries(argumentsValue).map(([name, value]) => ({
    name,
    label: labelOfParameter(parameters, name),
    value,
    ...(notFromUser.has(name) ? { notFromUser: true } : {}),
  }));
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
