import { ModelError } from '../../../core/ports/chat-model.ts';

/** What a provider's refusal says of the tools of a request. Nothing of it: it is about tools, and names none. */
export interface RefusedParts {
  /** The places in the list of functions that it names. */
  readonly places: readonly number[];
  /** The texts in quotation marks, in order. The first one that is the name of a tool is that of the tool. */
  readonly quoted: readonly string[];
  /** The list is too long. `most`: how many tools the provider takes, where it tells. */
  readonly tooMany?: { readonly most: number | undefined };
  /** The most characters of a description, where one is too long. */
  readonly longestDescription?: number;
}

/** The provider refuses a request for a tool in it. The same request without that tool may succeed. */
export class ToolsRefused extends ModelError {
  readonly parts: RefusedParts;

  constructor(parts: RefusedParts, { code, message, facts }: ModelError) {
    super(code, message, { transient: false, ...facts });
    this.parts = parts;
  }
}

/** The answer of a provider that has refused a request. */
interface Refusal {
  readonly status: number | undefined;
  /** The part of the request that the provider names. */
  readonly param?: string | undefined;
  /** The provider's code. */
  readonly reason?: string | undefined;
  /** The whole answer. */
  readonly text: string;
}

/** Most characters of an answer that are read. Gemini names each fault of each tool. */
const mostRead = 32_000;
const usualLongestDescription = 1024;

/** What a provider says of calls and results, of a choice of tools, or of a model that has none: no other list of tools would help. */
const ofSomethingElse = [
  ...['tool_use_failed', 'failed_generation', 'tool call validation', 'tool_calls', 'tool_call_id', 'tool_use_id'],
  ...['tool_result', 'tool_choice', 'tool choice', 'auto-tool-choice', 'messages[', 'support tool', 'support function'],
  ...['support for tool', 'support for function', 'tools are not supported', 'tool use is not', 'tool calling is not'],
  ...['function calling is not', 'not enabled', 'not switched on', 'not turned on', 'not support parameters'],
  ...['tokens', 'context length', 'context window', 'context_length'],
];
const ofTools = /\btools?\b|\bfunctions?\b|function_declarations|input_schema|toolSpec|toolConfig/i;
const ofSchemas = /schema|parameter|propert|declaration|items|description|format|pattern|enum|name|keyword/i;
const tooMany = /too (?:many|long)|above_max|maximum|at most|exceed|no more than|limit/i;
const limits = ['max', 'at most', 'up to', 'limit', 'no more than'];
/** Most characters between a word such as `maximum` and its number. */
const nearLimit = 40;

/** What a refusal says of the tools. Undefined where it is about something else. */
export function refusedParts({ status, param, reason, text: whole }: Refusal): RefusedParts | undefined {
  if (status !== 400 && status !== 422) return undefined;
  const text = whole.slice(0, mostRead);
  const isNamedPart = param !== undefined && /^(?:tools|functions)\b/.test(param);
  if (param !== undefined && !isNamedPart) return undefined;
  // The provider does not know tools at all.
  if (param === 'tools' && /^(?:unsupported|unknown)_/.test(reason ?? '')) return undefined;
  const places = placesIn(`${param ?? ''}\n${text}`);
  if (!isNamedPart && places.length === 0 && !isAboutTools(text, reason)) return undefined;
  const parts = { places, quoted: quotedIn(text) };
  const isAboveMost = tooMany.test(`${reason ?? ''} ${text}`);
  if (isAboveMost && places.length === 0 && (param === undefined || /^(?:tools|functions)$/.test(param)))
    return { ...parts, tooMany: { most: numberIn(text) } };
  if (isAboveMost && /description/.test(param ?? ''))
    return { ...parts, longestDescription: numberIn(text) ?? usualLongestDescription };
  return parts;
}

/** Whether a refusal is about the tools of the request, by its words. */
function isAboutTools(text: string, reason: string | undefined): boolean {
  const words = `${reason ?? ''}\n${text}`.toLowerCase();
  if (ofSomethingElse.some((phrase) => words.includes(phrase)) || /\bmessages\.\d/.test(words)) return false;
  if (reason === 'invalid_function_parameters') return true;
  return (ofTools.test(text) && ofSchemas.test(text)) || (/\btools\b/.test(words) && tooMany.test(text));
}

/** The places of functions. Gemini has all functions in one tool, so the place in `function_declarations` counts first. */
function placesIn(text: string): readonly number[] {
  const patterns = [
    /function_?declarations\[(\d+)\]/gi,
    /\btools\[(\d+)\]/g,
    /\btools\.(\d+)\b/g,
    /['"]tools['"], ?(\d+)\b/g,
  ];
  for (const pattern of patterns) {
    const found = [...text.matchAll(pattern)].map(([, digits]) => Number(digits));
    if (found.length > 0) return [...new Set(found)];
  }
  return [];
}

function quotedIn(text: string): readonly string[] {
  return [...text.matchAll(/['"`‘“]([\w.:-]{1,128})\\?['"`’”]/g)].map(([, name = '']) => name);
}

/** The limit that a provider tells: the least number that can be one, since it also tells what it was sent. */
function numberIn(text: string): number | undefined {
  const words = text.toLowerCase();
  const told = [...words.matchAll(/\d{1,6}/g)].filter(({ index }) => {
    const before = words.slice(Math.max(0, index - nearLimit), index);
    return limits.some((limit) => before.includes(limit));
  });
  const numbers = told.map(([digits]) => Number(digits)).filter((limit) => limit > 0);
  return numbers.length === 0 ? undefined : Math.min(...numbers);
}
