import { influencedMember } from '../provenance/influences.ts';
import { propertyOf, wordsOfQuestion } from '../tools/action-words.ts';
import { declaredArguments } from '../tools/declared-arguments.ts';
import type { Tool } from '../tools/tool.ts';
import type {
  AskedInfluence,
  ConfirmationArgument,
  ConfirmationReason,
  ConfirmationRequest,
  Repeated,
} from '../events/turn-event.ts';

/** How far the same action with the same arguments has come before. `at`: epoch milliseconds. */
export type RepeatedCall = Pick<Repeated, 'state'> & { readonly at: number };

interface QuestionOptions {
  readonly actionId: string;
  readonly callId: string;
  readonly tool: Tool;
  readonly argumentsValue: Readonly<Record<string, unknown>>;
  readonly agent: string;
  readonly reason: ConfirmationReason;
  readonly canRemember: boolean;
  /** Epoch milliseconds; undefined when confirmations do not expire. */
  readonly expiresAt: number | undefined;
  /** How far the same call has come before. */
  readonly repeats?: RepeatedCall | undefined;
  /** Where the call comes from (contract/provenance.md). */
  readonly provenance: { readonly influencedBy: readonly AskedInfluence[]; readonly notFromUser: ReadonlySet<string> };
}

/** What the user is asked (contract/confirmations.md#what-is-shown): the action's own words, never the model's, and every argument as it will run. */
export function confirmationRequest(options: QuestionOptions): ConfirmationRequest {
  const { tool, repeats } = options;
  const { title, description, labels, confirm, languages } = wordsOfQuestion(tool, options.argumentsValue);
  return {
    actionId: options.actionId,
    callId: options.callId,
    action: tool.name,
    title,
    description,
    ...(confirm === undefined ? {} : { confirm }),
    ...(languages === undefined ? {} : { languages }),
    arguments: labelled(tool.parameters, options, labels),
    agent: options.agent,
    reason: options.reason,
    canRemember: options.canRemember,
    editable: tool.editable,
    ...(tool.destructive === true ? { destructive: true } : {}),
    ...(options.expiresAt === undefined ? {} : { expiresAt: new Date(options.expiresAt).toISOString() }),
    ...influencedMember(options.provenance.influencedBy),
    ...(repeats === undefined ? {} : { repeats: { ...repeats, at: new Date(repeats.at).toISOString() } }),
  };
}

/** The label of a parameter for users: its title, or its name. */
export function labelOfParameter(parameters: Readonly<Record<string, unknown>>, name: string): string {
  return declaredArguments(parameters).titles.get(name) ?? name;
}

/** Declared arguments in the order of the schema. After them those whose names the schema only leaves open, under these names. */
function labelled(
  parameters: Readonly<Record<string, unknown>>,
  { argumentsValue, provenance: { notFromUser } }: Pick<QuestionOptions, 'argumentsValue' | 'provenance'>,
  labels: Readonly<Record<string, string>> = {},
): ConfirmationArgument[] {
  const { titles } = declaredArguments(parameters);
  const names = Object.keys(argumentsValue);
  const declared = [...titles.keys()].filter((name) => Object.hasOwn(argumentsValue, name));
  return [...declared, ...names.filter((name) => !titles.has(name))].map((name) => ({
    name,
    label: (Object.hasOwn(labels, name) ? labels[name] : undefined) ?? titles.get(name) ?? name,
    value: argumentsValue[name],
    ...formatMember(propertyOf(parameters, name)['format']),
    ...(notFromUser.has(name) ? { notFromUser: true } : {}),
    ...(titles.has(name) ? {} : { undeclared: true }),
  }));
}

function formatMember(format: unknown): Pick<ConfirmationArgument, 'format'> {
  return format === 'date' || format === 'date-time' ? { format } : {};
}
