import type { Language } from '../../../core/language/language.ts';
import type { Conversation, Reference } from './conversation.ts';
import { ownWords } from './conversation.ts';
import type { DemoPage } from './demo-options.ts';
import { answerFor, type ArgumentSources, isAmount, numberAs, takesNumber } from './fill-arguments.ts';
import { findPage } from './find-page.ts';
import { hear, type HeardMessage, isBareNumber } from './heard-message.ts';
import { matchTool, type ToolMatch } from './match-tool.ts';
import { numbersIn, spokenValues } from './spoken-values.ts';
import type { DemoParameter, DemoTool } from './tool-schema.ts';

/** A tool call the demo model wants to make. */
export interface PlannedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** The demo model's reaction to a user's message. */
export type ReplyPlan =
  | { readonly kind: 'call'; readonly calls: readonly PlannedCall[] }
  | {
      readonly kind: 'ask';
      readonly tool: DemoTool;
      readonly known: Readonly<Record<string, unknown>>;
      readonly parameter: DemoParameter;
    }
  | { readonly kind: 'say'; readonly about: 'help' | 'about' | 'greeting' | 'thanks' | 'unclear' };

export interface PlanSources {
  readonly language: Language;
  readonly tools: readonly DemoTool[];
  readonly pages: readonly DemoPage[];
  /** The whole conversation. Values that a message leaves out are looked for here. */
  readonly conversation: Conversation;
  /** The tools that were called since the message. No tool is called twice for one message. */
  readonly called: ReadonlySet<string>;
}

export const navigationTool = 'navigate_to_page';
const maxParallelCalls = 5;
const maxQuestionsInARow = 4;
const betweenRequests = /\s(?:and then|then|and|und|et|e|y|en|i|oraz)\s|[;；]/giu;

/** Decides what the last user message of the conversation asks for. */
export function planReply(sources: PlanSources, depth = 0): ReplyPlan {
  const [last] = sources.conversation.userMessages();
  if (last === undefined) return { kind: 'say', about: 'greeting' };
  const message = hear(ownWords(last.text));
  const answered =
    depth < maxQuestionsInARow
      ? answeredQuestion(message, { ...sources, conversation: last.before }, depth)
      : undefined;
  return (
    answered ?? repeatedCall(message, sources) ?? severalRequests(message, sources) ?? oneRequest(message, sources)
  );
}

/** The message may be the answer to the model's own question. Then the request before the question goes on with the value. */
function answeredQuestion(message: HeardMessage, before: PlanSources, depth: number): ReplyPlan | undefined {
  const last = before.conversation.messages.at(-1);
  const isAnswer = last?.role === 'assistant' && last.toolCalls.length === 0;
  if (!isAnswer || message.verb !== undefined || intentOf(message) !== undefined) return undefined;
  const question = planReply({ ...before, called: new Set() }, depth + 1);
  if (question.kind !== 'ask') return undefined;
  const value = answerFor(question.parameter, message.text);
  if (value === undefined) return undefined;
  const known = { ...question.known, [question.parameter.name]: value };
  return callOrAsk(question.tool, known);
}

/** "And 1003?" repeats the last call with another number. */
function repeatedCall(message: HeardMessage, { conversation, tools }: PlanSources): ReplyPlan | undefined {
  const call = conversation.lastCall();
  const tool = tools.find(({ name }) => name === call?.name);
  if (call === undefined || tool === undefined || !isBareNumber(message)) return undefined;
  const parameter = tool.parameters.find(({ kind }) => kind === 'integer' || kind === 'code');
  if (parameter === undefined) return undefined;
  const calls = numbersIn(message.text).map(({ value }) => ({
    name: tool.name,
    arguments: { ...call.arguments, [parameter.name]: parameter.kind === 'code' ? String(value) : value },
  }));
  return calls.length === 0 ? undefined : parallelCalls(calls);
}

/** Splits a message such as "Show order 1001 and cancel 1002". Each part has its own verb and can be done by itself. */
function severalRequests(message: HeardMessage, sources: PlanSources): ReplyPlan | undefined {
  const parts = message.text.split(betweenRequests).map(hear);
  if (parts.length < 2 || parts.length > maxParallelCalls || parts.some(({ verb }) => verb === undefined))
    return undefined;
  const calls = parts
    .map((part) => oneRequest(part, sources))
    .flatMap((plan) => (plan.kind === 'call' ? plan.calls : []));
  return calls.length >= parts.length ? parallelCalls(calls) : undefined;
}

function oneRequest(message: HeardMessage, sources: PlanSources): ReplyPlan {
  const { tools, pages, conversation } = sources;
  if (tools.some(({ name }) => name === navigationTool)) {
    const earlier = (placeholder: string): Reference | undefined => conversation.earlierReference(placeholder);
    const visit = findPage(message, { pages, numbers: numbersIn(message.text), earlier });
    if (visit !== undefined) return navigation(visit.page.name, visit.parameters);
  }
  const doers = tools.filter(({ name }) => name !== navigationTool);
  const match = matchTool(message, doers, (tool) => argumentSources(tool, message, sources));
  if (match !== undefined) return planOfMatch(match, sources);
  return { kind: 'say', about: intentOf(message) ?? 'unclear' };
}

function argumentSources(
  tool: DemoTool,
  message: HeardMessage,
  { language, conversation }: PlanSources,
): ArgumentSources {
  const withTail = tool.parameters.some(({ kind }) => kind === 'text');
  return {
    message: message.text,
    values: spokenValues(message.text, { language, withTail }),
    earlier: (parameter) => conversation.earlierReference(parameter.name),
    amount: (references) => conversation.amountOf(references),
  };
}

function navigation(page: string, parameters: Readonly<Record<string, unknown>>): ReplyPlan {
  const params = Object.keys(parameters).length === 0 ? {} : { params: parameters };
  return { kind: 'call', calls: [{ name: navigationTool, arguments: { page, ...params } }] };
}

function planOfMatch({ tool, filled }: ToolMatch, sources: PlanSources): ReplyPlan {
  const lookup = lookupOfAmount(tool, filled.values, sources);
  if (lookup !== undefined) return lookup;
  const plan = callOrAsk(tool, filled.values);
  const takers = tool.parameters.filter(takesNumber);
  const [taker] = takers;
  if (plan.kind !== 'call' || takers.length !== 1 || taker === undefined) return plan;
  const more = filled.unusedNumbers.map((number) => ({
    name: tool.name,
    arguments: { ...filled.values, [taker.name]: numberAs(taker, number) },
  }));
  return parallelCalls([...plan.calls, ...more]);
}

/** A call that is asked for twice is made once. */
function parallelCalls(calls: readonly PlannedCall[]): ReplyPlan {
  const distinct = new Map(calls.map((call) => [JSON.stringify(call), call]));
  return { kind: 'call', calls: [...distinct.values()].slice(0, maxParallelCalls) };
}

/** "Refund order 1003" names no amount. The result of a look-up of the order does, so the order is looked up first. */
function lookupOfAmount(
  tool: DemoTool,
  known: Readonly<Record<string, unknown>>,
  { tools, called }: PlanSources,
): ReplyPlan | undefined {
  const missing = tool.parameters.filter(({ name, isRequired }) => isRequired && !(name in known));
  if (missing.length === 0 || !missing.every(isAmount)) return undefined;
  const reader = tools.find(({ name, verbs, parameters }) => {
    const required = parameters.filter(({ isRequired }) => isRequired);
    const reads = verbs.length === 1 && verbs[0] === 'read' && !called.has(name);
    return reads && required.length > 0 && required.every((parameter) => parameter.name in known);
  });
  if (reader === undefined) return undefined;
  const shared = reader.parameters.filter(({ name }) => name in known).map(({ name }) => [name, known[name]] as const);
  return { kind: 'call', calls: [{ name: reader.name, arguments: Object.fromEntries(shared) }] };
}

function callOrAsk(tool: DemoTool, known: Readonly<Record<string, unknown>>): ReplyPlan {
  const parameter = tool.parameters.find(({ name, isRequired }) => isRequired && !(name in known));
  if (parameter !== undefined) return { kind: 'ask', tool, known, parameter };
  return { kind: 'call', calls: [{ name: tool.name, arguments: known }] };
}

function intentOf({ concepts }: HeardMessage): 'help' | 'about' | 'greeting' | 'thanks' | undefined {
  const intents = ['help', 'about', 'thanks', 'greeting'] as const;
  return intents.find((intent) => concepts.has(intent));
}
