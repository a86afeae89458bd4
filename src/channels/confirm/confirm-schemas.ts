import type { FastifySchema } from 'fastify';
import type { Admission } from '../shared/admit-requests.ts';
import { type DescribedAnswer, describeEndpoint, type Schema, securityOf } from '../shared/describe-endpoint.ts';

const html = { type: 'string' } as const;
const page: DescribedAnswer = { description: 'A page for a browser.', type: 'text/html', schema: html };
const params: Schema = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', description: 'Of the question, as the program was told it.' } },
};

/** The schema of `GET /helper/confirm/{id}`. Its faults are pages too. */
export function confirmPageSchema({ identity }: Pick<Admission, 'identity'>): FastifySchema {
  return describeEndpoint({
    operationId: 'getConfirmPage',
    tag: 'Confirmations',
    summary: 'The page on which a user answers a call of a program',
    description: 'Only the cookie signs in. Whoever is not signed in gets 401, and another user 403, as pages.',
    security: securityOf(identity, { requireAuthorization: true, roles: [] }),
    params,
    answers: { 200: page },
  });
}

/** The schema of `POST /helper/confirm/{id}`. */
export function confirmAnswerSchema({ identity }: Pick<Admission, 'identity'>): FastifySchema {
  return describeEndpoint({
    operationId: 'answerConfirmPage',
    tag: 'Confirmations',
    summary: 'Sends the form of that page',
    security: securityOf(identity, { requireAuthorization: true, roles: [] }),
    params,
    answers: { 303: { description: 'The answer counts, or the question was over. The page says which.' } },
  });
}
