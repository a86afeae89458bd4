import type { Rule } from './rule.ts';

/** `enableObservability` needs a receiver that it can send to. */
export const otlpEndpointRule: Rule = ({ enableObservability, telemetry }) =>
  enableObservability && telemetry.otlpEndpoint === null
    ? [
        {
          path: ['enableObservability'],
          message: 'needs telemetry.otlpEndpoint: name a receiver there, such as http://localhost:4318',
          follows: ['telemetry', 'otlpEndpoint'],
        },
      ]
    : [];
