import type { FastifyPluginCallback } from 'fastify';
import type { Admission } from '../shared/admit-requests.ts';
import { answersHead } from '../shared/answers-head.ts';
import { describeEndpoint, securityOf } from '../shared/describe-endpoint.ts';
import { notModified, refuseBadToken, sendDocument } from '../shared/send-document.ts';

export interface OpenApiChannelOptions {
  /** `server.basePath`. */
  readonly basePath: string;
  /** Makes the document. Called once, for the first reader. */
  readonly document: () => object;
  readonly admission: Pick<Admission, 'identity' | 'security'>;
}

/** `GET /helper/openapi.json` (contract/addresses.md#openapi): open to anyone, and the same for everyone. */
export const openApiChannel: FastifyPluginCallback<OpenApiChannelOptions> = (app, options, done) => {
  const { basePath, document, admission } = options;
  let text: string | undefined;
  const schema = describeEndpoint({
    operationId: 'getOpenApi',
    tag: 'Operations',
    summary: 'This document',
    security: securityOf(admission.identity),
    answers: {
      200: {
        description: 'The HTTP endpoints that this server has, as OpenAPI 3.1.',
        type: 'application/json',
        schema: { type: 'object' },
      },
      304: notModified,
    },
    faults: ['unauthenticated', 'rate_limited', 'overloaded'],
  });
  const path = `${basePath}/helper/openapi.json`;
  app.get(path, { ...answersHead, schema, onRequest: refuseBadToken(admission) }, (request, reply) => {
    text ??= JSON.stringify(document());
    return sendDocument(request, reply, text);
  });
  done();
};
