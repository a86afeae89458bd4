import { describeEndpoint, type DescribedAnswer } from '../shared/describe-endpoint.ts';
import { notModified } from '../shared/send-document.ts';
import { demoProjectSchema } from '../../wire/demo-project.ts';

const script: DescribedAnswer = { description: 'A script.', type: 'text/javascript', schema: { type: 'string' } };
const page: DescribedAnswer = { description: 'A page.', type: 'text/html', schema: { type: 'string' } };

/** The schema of `GET /helper/widget.js`. */
export const scriptSchema = describeEndpoint({
  operationId: 'getWidgetScript',
  tag: 'Widget',
  summary: 'The script that puts the chat on a page',
  answers: { 200: script, 304: notModified },
  faults: ['rate_limited'],
});

/** The schema of `GET /helper/embed.js`. */
export const embedScriptSchema = describeEndpoint({
  operationId: 'getEmbedScript',
  tag: 'Widget',
  summary: 'The script of the embed page',
  answers: { 200: script, 304: notModified },
  faults: ['rate_limited'],
});

/** The schema of `GET /helper/embed`. */
export const embedSchema = describeEndpoint({
  operationId: 'getEmbedPage',
  tag: 'Widget',
  summary: 'The chat as a page of its own',
  description: '`host=webview` is for the WebView of an application; anything else is a page for a frame.',
  querystring: { type: 'object', properties: { host: { examples: ['webview'] } } },
  answers: { 200: page },
  faults: ['rate_limited'],
});

/** The schema of `GET /helper/assets/{name}`. */
export const assetSchema = describeEndpoint({
  operationId: 'getWidgetFile',
  tag: 'Widget',
  summary: 'A file that the script loads; its name is a hash of its content',
  params: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
  answers: { 200: script },
  faults: ['not_found', 'rate_limited'],
});

/** The schema of `GET /`. */
export const demoPageSchema = describeEndpoint({
  operationId: 'getDemoPage',
  tag: 'Demo',
  summary: 'The demo page',
  answers: { 200: page },
  faults: ['rate_limited'],
});

/** The schema of `GET /helper/demo`. */
export const demoSchema = describeEndpoint({
  operationId: 'getDemo',
  tag: 'Demo',
  summary: 'What the demo page shows of the project',
  answers: {
    200: { description: 'Nothing in it needs a role.', type: 'application/json', schema: demoProjectSchema },
  },
  faults: ['forbidden', 'rate_limited', 'internal'],
});

/** The schema of `POST /helper/demo/reset`. */
export const demoResetSchema = describeEndpoint({
  operationId: 'resetDemo',
  tag: 'Demo',
  summary: 'Puts the data of the demo back to how it was at the start',
  answers: { 204: { description: 'Done.' } },
  faults: ['forbidden', 'rate_limited', 'internal'],
});
