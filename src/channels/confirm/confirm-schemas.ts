import type { FastifySchema } from 'fastify';
import type { Admission } from '../shared/admit-requests.ts';
import { type DescribedAnswer, describeEndpoint, type Schema, securityOf } from '../shared/describe-endpoint.ts';

const html = { type: 'string' } as const;
const page: DescribedAnswer = { description: 'A page for a browser.', type: 'text/html', schema: html };
const refusals: Readonly<Record<number, DescribedAnswer>> = {
  401: { ...page, description: 'Nobody is signed in, as a page.' },
  403: { ...page, description: 'The question is for somebody else, as a page.' },
  404: { ...page, description: 'There is no such question, as a page.' },
  429: { ...page, description: 'Too many requests, as a page.' },
  503: { ...page, description: 'The store, or the replica of the question, does not answer, as a page.' },
};
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
    description: 'Only the cookie signs in.',
    security: securityOf(identity, { requireAuthorization: true, roles: [] }),
    params,
    answers: { 200: page, ...refusals },
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
    answers: {
      303: { description: 'The answer counts, or the question was over. The page says which.' },
      ...refusals,
      400: { ...page, description: 'This is not the form of the page.' },
      413: { ...page, description: 'The form is too long.' },
      415: { ...page, description: 'This is not a form.' },
    },
  });
}
