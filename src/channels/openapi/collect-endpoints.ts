import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { problemSchema } from '../../wire/problem.ts';
import type { EndpointTag } from '../shared/describe-endpoint.ts';
import { operationOf } from './operation-of.ts';

export interface CollectOptions {
  /** The version of the interface. */
  readonly version: string;
  /** `server.publicUrl`; empty: the address that the document was read from. */
  readonly publicUrl: string;
  /** `aiDisclosure`. */
  readonly aiDisclosure: boolean;
  /** How users sign in: none, or by a bearer token and, where it has a name, by this cookie. */
  readonly signIn: { readonly cookie: string | undefined } | undefined;
  /** Whether `/metrics` asks for a token of its own. */
  readonly metricsToken: boolean;
}

const decorator = 'describedEndpoints';

const tags: Readonly<Record<EndpointTag, string>> = {
  Chat: 'Messages and their answers as server-sent events.',
  Confirmations: 'Answers to questions, and Stop.',
  Sessions: 'Saving and restoring the conversation of a hub connection.',
  Memory: 'What is remembered about the caller.',
  Hub: 'What a client of the real-time hub asks by HTTP. The hub itself speaks the SignalR protocol.',
  Widget: 'The chat for web pages.',
  Demo: 'The demo page.',
  Operations: 'For operators and their monitoring.',
};

/**
 * Collects the routes that are registered on `app` from now on, with the schemas that check their requests. Returns a function that makes
 * an OpenAPI 3.1 document of the routes with a `describeEndpoint` description. Call it only after the server is ready.
 */
export function collectEndpoints(app: FastifyInstance, options: CollectOptions): () => object {
  const { publicUrl, version, aiDisclosure } = options;
  void app.register(swagger, {
    decorator,
    stripBasePath: false,
    convertConstToEnum: false,
    openapi: {
      openapi: '3.1.1',
      info: {
        title: 'Helper',
        version,
        description: descriptionOf(options),
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: publicUrl === '' ? '/' : publicUrl }],
      components: {
        schemas: { Problem: { ...problemSchema, required: [...problemSchema.required] } },
        securitySchemes: securitySchemes(options),
      },
    },
    transform: ({ schema, url }) => ({ schema: operationOf(schema), url }),
    transformObject: (made) => completed('openapiObject' in made ? made.openapiObject : {}, aiDisclosure),
  });
  return () => app.getDecorator<() => object>(decorator)();
}

function descriptionOf({ aiDisclosure }: CollectOptions): string {
  return [
    'The HTTP endpoints of this server, as it is configured: one that is switched off is not listed.',
    ...(aiDisclosure
      ? ['Replies are written by an AI, and a client says so to its users before the first message.']
      : []),
    'Every answer has an `x-request-id`. A request over `server.maxRequestsPerAddress` is 429 `rate_limited` everywhere but at the probes.',
    'Where GET answers a page, a file or a probe, HEAD answers its headers.',
  ].join(' ');
}

function securitySchemes({ signIn, metricsToken }: CollectOptions): Readonly<Record<string, SecurityScheme>> {
  return {
    ...(signIn === undefined ? {} : { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } }),
    ...(signIn?.cookie === undefined ? {} : { cookie: { type: 'apiKey', in: 'cookie', name: signIn.cookie } }),
    ...(metricsToken ? { metricsToken: { type: 'http', scheme: 'bearer' } } : {}),
  };
}

type SecurityScheme =
  | { readonly type: 'http'; readonly scheme: 'bearer'; readonly bearerFormat?: string }
  | { readonly type: 'apiKey'; readonly in: 'cookie'; readonly name: string };

/** Adds the groups that have an endpoint, and the flag that tells programs whether a client must say that an AI answers. */
function completed(document: MadeDocument, aiDisclosure: boolean): object {
  const operations = Object.values(document.paths ?? {}).flatMap((path) => Object.values(path ?? {}));
  const used = new Set(operations.flatMap(tagsOf));
  const told = Object.entries(tags).filter(([name]) => used.has(name));
  return {
    ...document,
    tags: told.map(([name, description]) => ({ name, description })),
    'x-ai-disclosure': aiDisclosure,
  };
}

/** The generated document. Parameters that all operations of a path share are listed once for the path. */
interface MadeDocument {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
}

function tagsOf(operation: unknown): readonly unknown[] {
  if (typeof operation !== 'object' || operation === null || !('tags' in operation)) return [];
  return Array.isArray(operation.tags) ? operation.tags : [];
}
