import { type DescribedAnswer, describeEndpoint } from '../shared/describe-endpoint.ts';

const page: DescribedAnswer = { description: 'A page.', type: 'text/html', schema: { type: 'string' } };
const forBrowsers = {
  tag: 'Operations',
  description: 'For browsers, which ask for `text/html`. Other requests are 404.',
  answers: { 200: page },
  faults: ['not_found', 'rate_limited'],
} as const;

/** The schema of `GET /helper`. */
export const startPageSchema = describeEndpoint({
  ...forBrowsers,
  operationId: 'getStartPage',
  summary: 'What this server is',
});

/** The schema of `GET /`. */
export const rootPageSchema = describeEndpoint({
  ...forBrowsers,
  operationId: 'getRootPage',
  summary: 'The same as `/helper`',
});

/** The schema of `GET /helper/docs`. */
export const apiPageSchema = describeEndpoint({
  operationId: 'getApiPage',
  tag: 'Operations',
  summary: 'The endpoints as a page to read',
  answers: { 200: page },
  faults: ['rate_limited'],
});
