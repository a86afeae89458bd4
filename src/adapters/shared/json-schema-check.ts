import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { nearestName } from '../../core/errors/nearest-name.ts';
import { hasMembers, type Members } from './members.ts';
import { patternFault } from './patterns/pattern-fault.ts';
import { namePatternEngine, notePatterns, patternKeyword } from './patterns/pattern-keyword.ts';

/** One fault of a value. `path` is empty for the value itself, else like `lines[0].amount`; the value is never told. */
export interface SchemaFault {
  readonly path: string;
  readonly message: string;
  readonly suggestion?: string;
  /** The keyword of the schema whose rule is broken, and what the rule allows. */
  readonly keyword: string;
  readonly limit?: string;
}

/** Checks a value; an empty list means it is valid. */
export type SchemaCheck = (value: unknown) => readonly SchemaFault[];

/** `keepsValue` only looks; `fillsDefaults` also writes the schema's defaults into the value. */
export type CheckMode = 'keepsValue' | 'fillsDefaults';

/** Types are strict, nothing is coerced, and every fault is told. Keywords of other tools (`example`) are let through. */
const ajvOptions: Options = {
  strict: false,
  allErrors: true,
  verbose: true,
  logger: false,
  addUsedSchema: false,
};

type Compiler = Ajv | Ajv2020;

const compilers = new Map<string, Compiler>();

/** Built on first use, because a server without plugins should not wait for it, and shared, because building is slow. */
function compilerFor(isDraft07: boolean, mode: CheckMode): Compiler {
  const key = `${String(isDraft07)} ${mode}`;
  const known = compilers.get(key);
  if (known !== undefined) return known;
  const code = { regExp: namePatternEngine };
  const options: Options = { ...ajvOptions, code, useDefaults: mode === 'fillsDefaults' };
  const compiler = isDraft07 ? new Ajv(options) : new Ajv2020(options);
  formats.default(compiler);
  compiler.removeKeyword('pattern').addKeyword(patternKeyword);
  compilers.set(key, compiler);
  return compiler;
}

/**
 * Compiles a JSON Schema that somebody else wrote, as `compileSchemaCheck` does, and looks at its patterns.
 * @throws Error saying what is wrong with the schema, a pattern that can backtrack without bound included.
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
 * Compiles a JSON Schema: draft 2020-12, or draft-07 where `$schema` says so.
 * @throws Error saying what is wrong with the schema.
 */
export function compileSchemaCheck(schema: Members, mode: CheckMode): SchemaCheck {
  if (schema['$async'] !== undefined) throw new Error('$async is not allowed in it');
  const draft = schema['$schema'];
  const compiler = compilerFor(typeof draft === 'string' && draft.includes('draft-07'), mode);
  const validate: ValidateFunction = compiler.compile(schema);
  // The compiler keeps what it has compiled, and schemas that are read again and again would fill it.
  compiler.removeSchema(schema);
  return (value) => (validate(value) ? [] : (validate.errors ?? []).map(toFault));
}

function toFault(error: ErrorObject): SchemaFault {
  const limit = limitOf(error.params as Members); // ajv, "Error parameters"
  const { keyword } = error;
  return { ...wordedFault(error), keyword, ...(limit === undefined ? {} : { limit }) };
}

/** Long lists of values are cut: nobody reads them in one line. */
function limitOf({ limit, allowedValues, allowedValue, type }: Members): string | undefined {
  const values = Array.isArray(allowedValues) ? allowedValues : [limit ?? allowedValue ?? type];
  if (values[0] === undefined) return undefined;
  return values
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join(', ')
    .slice(0, 300);
}

function wordedFault(error: ErrorObject): Omit<SchemaFault, 'keyword' | 'limit'> {
  // Each keyword's parameters are ajv's own (ajv, "Error parameters"); the schema of an error is part of our input.
  const parameters = error.params as Members;
  const path = readablePath(error.instancePath);
  if (error.keyword === 'required') return { path: join(path, parameters['missingProperty']), message: 'is required' };
  if (error.keyword === 'additionalProperties' || error.keyword === 'unevaluatedProperties') {
    return unknownMember(error, path, parameters['additionalProperty'] ?? parameters['unevaluatedProperty']);
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

/** `/lines/0/amount` as `lines[0].amount`. */
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
