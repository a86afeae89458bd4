import type { SectionSchema } from './setting-schema.ts';

/** Traces and metrics over OTLP (contract/operations.md#traces). */
export const observabilitySection = {
  title: 'Traces and metrics over OTLP',
  type: 'object',
  additionalProperties: false,
  properties: {
    enableObservability: {
      type: 'boolean',
      default: false,
      description: 'Sends traces and metrics to telemetry.otlpEndpoint.',
    },
    observabilitySourceName: {
      needs: [{ setting: 'enableObservability' }],
      type: 'string',
      minLength: 1,
      maxLength: 100,
      default: 'HelperAgent',
      description: 'Name of the tracer and the meter that the traces and metrics come from.',
    },
    observabilityIncludeSensitiveData: {
      type: 'boolean',
      default: false,
      description:
        'Traces also hold instructions, messages, replies, arguments, results and user ids, and the log the words with which models refuse calls; for development only.',
    },
    telemetry: {
      needs: [{ setting: 'enableObservability' }],
      type: 'object',
      default: {},
      additionalProperties: false,
      properties: {
        otlpEndpoint: {
          type: ['string', 'null'],
          format: 'callback-url',
          pattern: '^[^?]*$',
          allowed: 'an http or https address without a user name and a query, such as http://localhost:4318',
          default: null,
          description: 'Address of a receiver of OTLP over HTTP, without /v1/traces and /v1/metrics.',
        },
        headers: {
          type: 'object',
          default: {},
          propertyNames: {
            pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$",
            allowed: 'the name of an HTTP header',
          },
          additionalProperties: { type: 'string', pattern: '^[\\t -~]*$', secret: true, allowed: 'a text of one line' },
          description: 'HTTP headers sent with traces and metrics, such as a key.',
        },
      },
      description: 'Where enableObservability sends to.',
    },
  },
} as const satisfies SectionSchema;
