import type { FastifySchema } from 'fastify';
import type { RequestErrorCode } from '../../core/errors/error-codes.ts';
import type { DescribedAnswer, Schema } from '../shared/describe-endpoint.ts';
import { httpStatusByCode } from '../shared/problem-json.ts';

/** The schema of a route in the form that the document generator reads. A route without a description is left out. */
export function operationOf(schema: FastifySchema | undefined): FastifySchema {
  const { endpoint, ...checkedBy } = schema ?? {};
  if (endpoint === undefined) return { hide: true };
  const { answers, faults = [], tag, security = [], ...told } = endpoint;
  const successes = Object.entries(answers).map(([status, answer]) => [status, responseOf(answer)]);
  return {
    ...checkedBy,
    ...told,
    tags: [tag],
    security,
    response: { ...Object.fromEntries(successes), ...problems(faults) },
  };
}

function responseOf({ description, type, schema, others = {}, headers }: DescribedAnswer): Schema {
  const told = { description, ...(headers && { headers }) };
  if (type === undefined) return { ...told, type: 'null' };
  const types = Object.entries({ [type]: schema ?? {}, ...others });
  return { ...told, content: Object.fromEntries(types.map(([name, shape]) => [name, { schema: shape }])) };
}

/** One answer for each status, with the codes that it may carry. */
function problems(codes: readonly RequestErrorCode[]): Readonly<Record<number, Schema>> {
  const byStatus = Map.groupBy(codes, (code) => httpStatusByCode[code]);
  const answers = [...byStatus].map(([status, found]) => {
    const schema = { allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { code: { enum: found } } }] };
    return [status, { description: `\`${found.join('`, `')}\``, content: { 'application/problem+json': { schema } } }];
  });
  return Object.fromEntries(answers) as Readonly<Record<number, Schema>>; // made of statuses and schemas just above
}
