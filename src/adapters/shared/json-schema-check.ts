import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { hasMoreValues } from '../../core/base/json-depth.ts';
import { nearestName } from '../../core/errors/nearest-name.ts';
import { hasMembers, type Members } from './members.ts';
import { metaSchemaId } from './meta-schema/compile-meta-schema.ts';
import { metaSchemaCheck } from './meta-schema/meta-schema-check.ts';
import { isUrl, uniqueItemsKeyword } from './patterns/linear-formats.ts';
import { patternFault } from './patterns/pattern-fault.ts';
import { namePatternEngine, notePatterns, patternKeyword } from './patterns/pattern-keyword.ts';

/** One fault of a value. `path` is empty for the value itself, else it looks like `lines[0].amount`. The fault never shows the value. */
export interface SchemaFault {
  readonly path: string;
  readonly message: string;
  readonly suggestion?: string;
  /** The keyword of the schema that the value breaks, and what the keyword allows. */
  readonly keyword: string;
  readonly limit?: string;
}

/** Checks a value. An empty list means that the value is valid. */
export type SchemaCheck = (value: unknown) => readonly SchemaFault[];

/** `keepsValue` only checks the value. `fillsDefaults` also writes the schema's defaults into it. */
export type CheckMode = 'keepsValue' | 'fillsDefaults';

/**
 * Types are strict and nothing is converted. Keywords of other tools (`example`) are allowed. What a schema refers to is a function of its
 * own: written in place of each reference, the code of 5 KB of schema would be hundreds of megabytes.
 */
const ajvOptions: Options = {
  strict: false,
  inlineRefs: false,
  verbose: true,
  logger: false,
  addUsedSchema: false,
};

type Compiler = Ajv | Ajv2020;

/**
 * What one check may cost, in characters of the functions that it calls. Schemas may refer to each other in ways that double with each step:
 * 2 KB of them took hours. Items of a list that have a schema of their own cost some thousand each.
 */
const mostCost = 400_000_000;
let costLeft = Number.POSITIVE_INFINITY;

class TooCostly extends Error {}

function spend(cost: number): void {
  costLeft -= cost;
  if (costLeft < 0) throw new TooCostly();
}

/** How each function begins that ajv writes. It calls others, and itself, for what a schema refers to. */
const beginning = 'let vErrors = null;let errors = 0;';
/** How the function for a schema that takes everything ends. It calls no others, and has no such beginning. */
const taking = '.errors = null;return true;}';

function countingCost(code: string): string {
  if (code.endsWith(taking)) return code;
  const counting = code.replace(beginning, `self.spend(${String(code.length)});${beginning}`);
  if (counting === code) throw new Error('the check of a schema cannot be bounded');
  return counting;
}

/** Of a value with more values in it only the first fault is looked for. Each fault costs some microseconds, and there may be one for each value. */
const mostValues = 2_000;

const compilers = new Map<string, Compiler>();

/**
 * The compiler is built on its first use, so that a server without plugins does not wait for it. It is shared, because building is slow.
 */
function compilerFor(isDraft07: boolean, mode: CheckMode, allErrors: boolean): Compiler {
  const key = `${String(isDraft07)} ${mode} ${String(allErrors)}`;
  const known = compilers.get(key);
  if (known !== undefined) return known;
  const code = { regExp: namePatternEngine, process: countingCost };
  // `requireSchema` checks schemas of draft 2020-12: the compiler would compile a check of its own, which takes a tenth of a second.
  const options: Options = {
    ...ajvOptions,
    allErrors,
    code,
    useDefaults: mode === 'fillsDefaults',
    validateSchema: isDraft07,
  };
  const compiler = Object.assign(isDraft07 ? new Ajv(options) : new Ajv2020(options), { spend });
  formats.default(compiler);
  const { url } = compiler.formats;
  if (!(url instanceof RegExp)) throw new Error('the format url is not the pattern that is bounded here');
  compiler.addFormat('url', (text: string) => isUrl(text, url));
  compiler.removeKeyword('pattern').addKeyword(patternKeyword);
  compiler.removeKeyword('uniqueItems').addKeyword(uniqueItemsKeyword);
  compilers.set(key, compiler);
  return compiler;
}

/**
 * Compiles a JSON Schema from outside, as `compileSchemaCheck` does, and checks its patterns.
 * @throws Error that says what is wrong with the schema, for example a pattern that can backtrack without bound.
 */
export async function compileForeignSchemaCheck(schema: Members, mode: CheckMode): Promise<SchemaCheck> {
  const { value: check, patterns } = notePatterns(() => compileSchemaCheck(schema, mode));
  for (const { place, pattern, maxLength } of patterns) {
    const fault = await patternFault(pattern, { maxLength, takesMaxLength: true });
    if (fault !== undefined) throw new Error(`${place}: ${fault}`);
  }
  return check;
}

/**
 * Compiles a JSON Schema: draft 2020-12, or draft-07 if `$schema` says so.
 * @throws Error that says what is wrong with the schema.
 */
export function compileSchemaCheck(schema: Members, mode: CheckMode): SchemaCheck {
  if (schema['$async'] !== undefined) throw new Error('$async is not allowed in it');
  const draft = schema['$schema'];
  const isDraft07 = typeof draft === 'string' && draft.includes('draft-07');
  if (!isDraft07) requireSchema(schema, compilerFor(isDraft07, mode, true));
  const compiled = (allErrors: boolean): ValidateFunction => {
    const compiler = compilerFor(isDraft07, mode, allErrors);
    const validate: ValidateFunction = compiler.compile(schema);
    // The compiler keeps every schema that it has compiled. Schemas that are read again and again would fill its memory.
    compiler.removeSchema(schema);
    return validate;
  };
  const all = compiled(true);
  let first: ValidateFunction | undefined;
  return (value) => {
    const validate = hasMoreValues(value, mostValues) ? (first ??= compiled(false)) : all;
    costLeft = mostCost;
    try {
      return validate(value) ? [] : (validate.errors ?? []).map((error, index) => toFault(error, index));
    } catch (error) {
      if (error instanceof TooCostly) return [tooCostly];
      throw error;
    } finally {
      costLeft = Number.POSITIVE_INFINITY;
    }
  };
}

const tooCostly: SchemaFault = {
  path: '',
  message: 'cannot be checked: the schema refers to itself too often for this value',
  keyword: '$ref',
};

/** @throws Error where this is no schema of draft 2020-12, or names a draft that is not known. */
function requireSchema(schema: Members, compiler: Compiler): void {
  if ((schema['$schema'] ?? metaSchemaId) !== metaSchemaId) {
    // It throws at once: no schema here is asynchronous.
    void compiler.validateSchema(schema, true);
    return;
  }
  const check = metaSchemaCheck();
  if (!check(schema)) throw new Error(`schema is invalid: ${compiler.errorsText(check.errors)}`);
}

/** The most faults for which a similar name is looked for. Nobody reads more, and each look compares the name with all that are declared. */
const mostSuggestions = 20;

function toFault(error: ErrorObject, index: number): SchemaFault {
  const limit = limitOf(error.params as Members); // ajv, "Error parameters"
  const { keyword } = error;
  return { ...wordedFault(error, index < mostSuggestions), keyword, ...(limit === undefined ? {} : { limit }) };
}

/** Describes what a keyword allows. Long lists of values are cut, because nobody reads them in one line. */
function limitOf({ limit, allowedValues, allowedValue, type }: Members): string | undefined {
  const values = Array.isArray(allowedValues) ? allowedValues : [limit ?? allowedValue ?? type];
  if (values[0] === undefined) return undefined;
  return values
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join(', ')
    .slice(0, 300);
}

function wordedFault(error: ErrorObject, suggests: boolean): Omit<SchemaFault, 'keyword' | 'limit'> {
  // The parameters of a keyword are ajv's own (ajv, "Error parameters"). The schema in an error is a part of the input.
  const parameters = error.params as Members;
  const path = readablePath(error.instancePath);
  if (error.keyword === 'required') return { path: join(path, parameters['missingProperty']), message: 'is required' };
  if (error.keyword === 'additionalProperties' || error.keyword === 'unevaluatedProperties') {
    const name = parameters['additionalProperty'] ?? parameters['unevaluatedProperty'];
    return suggests ? unknownMember(error, path, name) : { path: join(path, name), message: 'is not known' };
  }
  if (error.keyword === 'enum')
    return { path, message: `must be one of ${JSON.stringify(parameters['allowedValues'])}` };
  if (error.keyword === 'const') return { path, message: `must be ${JSON.stringify(parameters['allowedValue'])}` };
  return { path, message: error.message ?? `breaks the rule ${error.keyword}` };
}

function unknownMember(error: ErrorObject, path: string, name: unknown): ReturnType<typeof wordedFault> {
  const parent: unknown = error.parentSchema;
  const known = hasMembers(parent) && hasMembers(parent['properties']) ? Object.keys(parent['properties']) : [];
  const nearest = typeof name === 'string' ? nearestName(name, known) : undefined;
  const fault = { path: join(path, name), message: 'is not known' };
  return nearest === undefined ? fault : { ...fault, suggestion: nearest };
}

/** Writes `/lines/0/amount` as `lines[0].amount`. */
function readablePath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : join(path, part)), '');
}

function join(path: string, name: unknown): string {
  return path === '' ? String(name) : `${path}.${String(name)}`;
}
