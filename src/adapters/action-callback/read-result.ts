import { compileSchemaCheck, type SchemaCheck } from '../shared/json-schema-check.ts';
import { hasMembers } from '../shared/members.ts';

/** The answer of a callback (contract/plugins.md#callbacks): data, and what is shown or done with it. */
export interface CallbackResult {
  readonly result: unknown;
  readonly card?: object;
  readonly navigate?: { readonly page: string; readonly params?: Readonly<Record<string, unknown>> };
}

/** An answer with status 200 whose content does not keep the agreed format. */
export class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer';
}

/** Unknown members are ignored. An action that has run must not fail because of a member that nobody needs. */
const resultSchema = {
  type: 'object',
  required: ['result'],
  properties: {
    card: { type: 'object' },
    navigate: {
      type: 'object',
      required: ['page'],
      properties: { page: { type: 'string' }, params: { type: 'object' } },
    },
  },
} as const;

const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: { type: 'object', required: ['message'], properties: { message: { type: 'string', minLength: 1 } } },
  },
} as const;

let checks: { readonly result: SchemaCheck; readonly error: SchemaCheck } | undefined;

/** @throws UnusableAnswer. @throws Error with the callback's own message when it could not do its work. */
export function readResult(text: string): CallbackResult {
  checks ??= {
    result: compileSchemaCheck(resultSchema, 'keepsValue'),
    error: compileSchemaCheck(errorSchema, 'keepsValue'),
  };
  const answer = parsed(text);
  const isError = hasMembers(answer) && 'error' in answer;
  const [fault] = (isError ? checks.error : checks.result)(answer);
  if (fault !== undefined) throw new UnusableAnswer(`the answer is not valid: ${fault.path || 'it'} ${fault.message}`);
  if (isError) throw new Error((answer['error'] as { readonly message: string }).message); // its schema has spoken
  return answer as CallbackResult; // its schema has spoken
}

/** @throws UnusableAnswer when the text is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UnusableAnswer('the answer is not JSON', { cause: error });
  }
}
