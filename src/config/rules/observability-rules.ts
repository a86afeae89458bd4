import type { Rule } from './rule.ts';

/** `enableObservability` needs a receiver that it can send to. */
export const otlpEndpointRule: Rule = ({ enableObservability, telemetry }) =>
  enableObservability && telemetry.otlpEndpoint === null
    ? [
        {
          path: ['telemetry', 'otlpEndpoint'],
          message: 'is missing: enableObservability is on; name a receiver, such as http://localhost:4318',
          follows: ['enableObservability'],
        },
      ]
    : [];
