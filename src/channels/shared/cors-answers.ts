/** What a policy of CORS says (contract/doors.md). */
export interface CorsRules {
  readonly origins: readonly string[];
  readonly credentials: boolean;
  readonly methods: readonly string[];
  readonly headers: readonly string[];
}

/** What `@fastify/cors` is told, for all routes or for one. */
export interface CorsAnswers {
  origin: boolean | string[];
  credentials: boolean;
  methods: string[];
  allowedHeaders: string[];
  exposedHeaders: string[];
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The policy of a route in place of that of all routes. False: none. */
    cors?: CorsAnswers | false;
  }
}

const exposed = ['x-turn-id', 'x-request-id', 'retry-after'];

/**
 * How browsers are answered by a policy (contract/addresses.md#requests). `more` names headers that one endpoint needs beside those of the
 * policy.
 */
export function corsAnswers(
  { origins, credentials, methods, headers }: CorsRules,
  more: { readonly sent: readonly string[]; readonly read: readonly string[] } = { sent: [], read: [] },
): CorsAnswers {
  return {
    origin: origins.length > 0 && (origins.includes('*') || [...origins]),
    credentials,
    methods: [...methods],
    allowedHeaders: [...new Set([...headers, ...more.sent])],
    exposedHeaders: [...exposed, ...more.read],
  };
}
