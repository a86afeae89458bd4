import type { FastifySchema } from 'fastify';
import type { RequestErrorCode } from '../../core/errors/error-codes.ts';
import type { Authorization } from './admit-requests.ts';
import type { RequestIdentity } from './request-identity.ts';

/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;

/** The groups in which the document lists endpoints. */
export type EndpointTag = 'Chat' | 'Confirmations' | 'Sessions' | 'Memory' | 'Hub' | 'Widget' | 'Demo' | 'Operations';

/** An answer of one status. */
export interface DescribedAnswer {
  readonly description: string;
  /** Left out: the answer has no body. */
  readonly type?: string;
  readonly schema?: Schema;
  /** The answer in further content types, by their names. */
  readonly others?: Readonly<Record<string, Schema>>;
  readonly headers?: Readonly<Record<string, Schema>>;
}

/**
 * What `GET /helper/openapi.json` says about a route, in addition to the schemas that check its requests (contract/addresses.md#openapi).
 */
export interface EndpointDescription {
  /** Unique; generated clients name a function after it. */
  readonly operationId: string;
  readonly tag: EndpointTag;
  readonly summary: string;
  readonly description?: string;
  readonly answers: Readonly<Record<number, DescribedAnswer>>;
  /** The problem documents that it may answer. */
  readonly faults?: readonly RequestErrorCode[];
  /** Who may ask, as `securityOf` tells. Default: anyone, and no credential is looked at. */
  readonly security?: Security;
}

/** The security requirements of an operation: any one of them suffices. */
export type Security = readonly Readonly<Record<string, string[]>>[];

/** The schemas that check the requests of a route. */
interface CheckedBy {
  readonly querystring?: Schema;
  readonly params?: Schema;
  readonly headers?: Schema;
  readonly body?: Schema;
}

declare module 'fastify' {
  interface FastifySchema {
    /** Set by `describeEndpoint`. Fastify takes no notice of it. */
    readonly endpoint?: EndpointDescription;
  }
}

/** The schema of a route, with what the document says about it. */
export function describeEndpoint(description: EndpointDescription & CheckedBy): FastifySchema {
  const { querystring, params, headers, body, ...endpoint } = description;
  return {
    ...(querystring && { querystring }),
    ...(params && { params }),
    ...(headers && { headers }),
    ...(body && { body }),
    endpoint,
  };
}

/** The security requirements of an endpoint. A user's credential is optional when the endpoint is open, else one is required. */
export function securityOf(
  identity: Pick<RequestIdentity, 'schemes'>,
  authorization: Authorization = { requireAuthorization: false, roles: [] },
): Security {
  const schemes = identity.schemes.map((name) => ({ [name]: [] }));
  const isNeeded = authorization.requireAuthorization || authorization.roles.length > 0;
  return isNeeded || schemes.length === 0 ? schemes : [{}, ...schemes];
}
