import type { Reference } from './conversation.ts';
import { isVerb, termsOf } from './lexicon.ts';
import { numbersIn, type SpokenNumber, type SpokenValues, spokenValues, withoutFullStop } from './spoken-values.ts';
import type { DemoParameter, DemoTool } from './tool-schema.ts';
import { wordsOf, wordsOfName } from './words.ts';

/** The arguments that the message and the conversation give. */
export interface FilledArguments {
  readonly values: Readonly<Record<string, unknown>>;
  /** The required parameters without a value, in the order of the schema. */
  readonly missing: readonly DemoParameter[];
  /** The number of values from the message itself, without those taken from earlier calls. */
  readonly spoken: number;
  readonly unusedNumbers: readonly SpokenNumber[];
}

export interface ArgumentSources {
  readonly message: string;
  readonly values: SpokenValues;
  /** The last value that a reference had in this conversation, for messages such as "cancel it". */
  readonly earlier: (parameter: DemoParameter) => Reference | undefined;
  /** The sum that a result of this conversation names for the thing with these references. */
  readonly amount: (values: Readonly<Record<string, unknown>>) => number | string | undefined;
}

const amountTerms: ReadonlySet<string> = termsOf(['amount', 'price', 'total', 'sum', 'cost', 'value']);
const questionTerms: ReadonlySet<string> = termsOf(['query', 'question', 'text', 'term', 'keyword']);

/** Fills a tool's parameters by their schema. Never invents a value. */
export function fillArguments(tool: DemoTool, sources: ArgumentSources): FilledArguments {
  const numbers = assignNumbers(tool, sources.values.numbers);
  const texts = [...sources.values.quoted, ...(sources.values.tail === undefined ? [] : [sources.values.tail])];
  const values: Record<string, unknown> = {};
  for (const parameter of tool.parameters) {
    const value = spokenValue(parameter, { sources, numbers: numbers.byParameter, texts });
    if (value !== undefined) values[parameter.name] = value;
  }
  const spoken = Object.keys(values).length;
  for (const parameter of tool.parameters) {
    if (!parameter.isRequired || parameter.name in values) continue;
    const known = knownValue(parameter, values, sources);
    if (known !== undefined) values[parameter.name] = known;
  }
  const missing = tool.parameters.filter(({ name, isRequired }) => isRequired && !(name in values));
  return { values, missing, spoken, unusedNumbers: numbers.unused };
}

/** The value for a parameter in the user's answer to a question. Undefined when there is none. */
export function answerFor(parameter: DemoParameter, text: string): unknown {
  const values = spokenValues(text, { language: 'English', withTail: false });
  switch (parameter.kind) {
    case 'integer':
    case 'number':
      return values.numbers.find(({ value }) => parameter.kind === 'number' || Number.isInteger(value))?.value;
    case 'money':
      return values.numbers[0]?.text;
    case 'choice':
      return chosen(parameter, text);
    case 'date':
      return values.dates[0];
    case 'code':
      return values.codes[0] ?? values.numbers[0]?.value.toString();
    case 'text':
      return values.quoted[0] ?? (withoutFullStop(text.replace(/^to\s+/i, '')) || undefined);
    case 'other':
      return undefined;
  }
}

/**
 * A value that the message does not give. A thing that was named before may be meant again. The amount for a thing is the one that a result
 * names. The text of a query is the message itself.
 */
function knownValue(
  parameter: DemoParameter,
  values: Readonly<Record<string, unknown>>,
  sources: ArgumentSources,
): unknown {
  if (isAmount(parameter)) return amountAs(parameter, sources.amount(values));
  if (parameter.kind === 'text') return isQuestion(parameter) ? sources.message : undefined;
  const earlier = sources.earlier(parameter);
  if (earlier === undefined) return undefined;
  if (parameter.kind === 'code') return String(earlier);
  // A page may give a number as text, because the text comes from its address.
  return parameter.kind === 'integer' && /^\d{1,15}$/.test(String(earlier)) ? Number(earlier) : undefined;
}

/** Turns a sum into the form of the parameter: a number, or the text that people read. */
function amountAs({ kind }: DemoParameter, amount: number | string | undefined): unknown {
  if (amount === undefined) return undefined;
  if (kind === 'money') return String(amount);
  return typeof amount === 'number' ? amount : numbersIn(amount)[0]?.value;
}

/** Whether a parameter is a sum of money. */
export function isAmount(parameter: DemoParameter): boolean {
  if (parameter.kind === 'money') return true;
  const isNumber = parameter.kind === 'number' || parameter.kind === 'integer';
  return isNumber && [...parameter.terms].some((term) => amountTerms.has(term));
}

interface Claimable {
  readonly sources: ArgumentSources;
  readonly numbers: ReadonlyMap<DemoParameter, SpokenNumber>;
  /** The texts that no parameter has taken yet. Each text serves one parameter. */
  readonly texts: string[];
}

function spokenValue(parameter: DemoParameter, from: Claimable): unknown {
  switch (parameter.kind) {
    case 'integer':
    case 'number':
    case 'money':
      return numberAs(parameter, from.numbers.get(parameter));
    case 'choice':
      return chosen(parameter, from.sources.message);
    case 'date':
      return from.sources.values.dates[0];
    case 'code':
      return from.sources.values.codes[0] ?? numberAs(parameter, from.numbers.get(parameter));
    case 'text':
      return from.texts.shift();
    case 'other':
      return undefined;
  }
}

/** Whether a number in a message may be the value of the parameter. */
export function takesNumber({ kind }: DemoParameter): boolean {
  return kind === 'integer' || kind === 'number' || kind === 'money' || kind === 'code';
}

/** Turns a number in a message into the form of the parameter. Undefined when there is no number. */
export function numberAs({ kind }: DemoParameter, number: SpokenNumber | undefined): unknown {
  if (kind === 'money') return number?.text;
  return kind === 'code' ? number?.value.toString() : number?.value;
}

/** Gives each number to the parameter it fits best, the surest pairs first. */
function assignNumbers(
  tool: DemoTool,
  numbers: readonly SpokenNumber[],
): { readonly byParameter: ReadonlyMap<DemoParameter, SpokenNumber>; readonly unused: readonly SpokenNumber[] } {
  const takers = tool.parameters.filter(takesNumber);
  const pairs = takers
    .flatMap((parameter) => numbers.map((number) => ({ parameter, number, points: fitness(parameter, number) })))
    .filter(({ points }) => points > -2)
    .sort((one, other) => other.points - one.points);
  const byParameter = new Map<DemoParameter, SpokenNumber>();
  const used = new Set<SpokenNumber>();
  for (const { parameter, number } of pairs) {
    if (byParameter.has(parameter) || used.has(number)) continue;
    byParameter.set(parameter, number);
    used.add(number);
  }
  return { byParameter, unused: numbers.filter((number) => !used.has(number)) };
}

/**
 * How well a number fits a parameter. Words before the number that name the parameter count most. Money fits an amount, and a whole number
 * fits an id.
 */
function fitness(parameter: DemoParameter, number: SpokenNumber): number {
  const named = [...parameter.terms].some((term) => number.before.has(term)) ? 3 : 0;
  const whole = parameter.kind !== 'number' && parameter.kind !== 'money' && !Number.isInteger(number.value) ? -6 : 0;
  if (isAmount(parameter)) return named + whole + (number.isMoney ? 2 : -1);
  return named + whole - (number.isMoney ? 4 : 0);
}

function isQuestion(parameter: DemoParameter): boolean {
  return [...parameter.terms].some((term) => questionTerms.has(term));
}

/** The choice whose words the message names, in any language the lexicon knows. */
function chosen(parameter: DemoParameter, message: string): string | undefined {
  const named = termsOf(wordsOf(message));
  return parameter.choices.find((choice) => [...choiceTerms(choice)].every((term) => named.has(term)));
}

/**
 * The words that name a choice. In a choice, "open" is a state and not a request, so verbs count only when the choice has no other words.
 */
function choiceTerms(choice: string): ReadonlySet<string> {
  const terms = termsOf(wordsOfName(choice));
  const states = [...terms].filter((term) => !isVerb(term));
  return states.length > 0 ? new Set(states) : terms;
}
