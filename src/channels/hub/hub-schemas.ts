import type { FastifySchema } from 'fastify';
import { describeEndpoint, securityOf } from '../shared/describe-endpoint.ts';
import type { Admission } from '../shared/admit-requests.ts';

const text = { type: 'string' } as const;
const lifetime = {
  type: 'integer',
  description: 'How long the credential is good for, in seconds. Left out where it does not end.',
} as const;

/** The schemas of the hub's requests that are plain HTTP (contract/hub.md). All other requests belong to the SignalR protocol. */
export function hubSchemas({ identity, authorization }: Admission): {
  readonly negotiate: FastifySchema;
  readonly refresh: FastifySchema;
} {
  return {
    negotiate: describeEndpoint({
      operationId: 'negotiate',
      tag: 'Hub',
      summary: 'Begins a connection to the hub, as clients of SignalR do by themselves',
      // The schema only documents the parameters: the protocol reads them itself, in upper and lower case.
      querystring: {
        type: 'object',
        properties: {
          negotiateVersion: { description: 'The newest version that the client speaks, 0 or 1.', examples: ['1'] },
          useStatefulReconnect: { description: 'The client can come back with nothing lost.', examples: ['true'] },
        },
      },
      security: securityOf(identity, authorization),
      answers: {
        200: { description: 'How to connect, or why not.', type: 'application/json', schema: negotiateAnswerSchema },
        429: { description: 'Too many connections of this caller.', type: 'text/plain', schema: text },
        503: { description: 'No room for another connection.', type: 'text/plain', schema: text },
      },
      faults: ['unauthenticated', 'forbidden', 'payload_too_large', 'internal'],
    }),
    refresh: describeEndpoint({
      operationId: 'refreshConnection',
      tag: 'Hub',
      summary: 'Gives a connection a new credential of the same user',
      querystring: {
        type: 'object',
        properties: { id: { description: 'The `connectionToken` of the connection. Without it the answer is 400.' } },
      },
      security: securityOf(identity, authorization),
      answers: {
        200: {
          description: 'The connection lives as long as the new credential.',
          type: 'application/json',
          schema: { type: 'object', properties: { tokenLifetimeSeconds: lifetime } },
        },
        400: { description: 'No connection is named.', type: 'application/json', schema: refreshFaultSchema },
        401: { description: 'The credential is not valid.', type: 'application/json', schema: refreshFaultSchema },
        404: { description: 'It is not known.', type: 'application/json', schema: refreshFaultSchema },
      },
      faults: ['forbidden', 'payload_too_large', 'rate_limited', 'overloaded', 'cluster_unavailable', 'internal'],
    }),
  };
}

const refreshFaultSchema = {
  type: 'object',
  required: ['error', 'error_description'],
  properties: { error: text, error_description: text },
} as const;

const transportsSchema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['transport', 'transferFormats'],
    properties: {
      transport: { enum: ['WebSockets', 'ServerSentEvents', 'LongPolling'] },
      transferFormats: { type: 'array', items: { enum: ['Text', 'Binary'] } },
    },
  },
} as const;

const negotiateAnswerSchema = {
  anyOf: [
    { type: 'object', required: ['error'], properties: { error: text } },
    {
      type: 'object',
      required: ['negotiateVersion', 'connectionId', 'availableTransports'],
      properties: {
        negotiateVersion: { enum: [0, 1] },
        connectionId: text,
        connectionToken: text,
        availableTransports: transportsSchema,
        useStatefulReconnect: { const: true },
        tokenLifetimeSeconds: lifetime,
      },
    },
  ],
} as const;
