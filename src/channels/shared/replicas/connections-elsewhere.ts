import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest, onRequestHookHandler, preParsingHookHandler } from 'fastify';
import type { Assistant } from '../../../core/assistant.ts';
import { HelperError } from '../../../core/errors/helper-error.ts';
import type { ConnectionOwners } from './connection-owners.ts';
import { isForwarded } from './forwarded-lines.ts';
import type { RequestForwarder } from './request-forwarder.ts';

/** Requests about connections that other replicas have (contract/replicas.md#connections). */
export class ConnectionsElsewhere {
  readonly owners: ConnectionOwners;
  readonly #forwarder: RequestForwarder;

  constructor(owners: ConnectionOwners, forwarder: RequestForwarder) {
    this.owners = owners;
    this.#forwarder = forwarder;
  }

  /** As `ConnectionOwners.ownerOf`. A request that another replica has forwarded is not forwarded again. */
  async ownerOf(
    request: FastifyRequest,
    connectionId: string,
    options?: { readonly orHint: boolean },
  ): Promise<string | undefined> {
    return isForwarded(request) ? undefined : this.owners.ownerOf(connectionId, options);
  }

  /** As `RequestForwarder.forward`. */
  forward(owner: string, forwarded: Parameters<RequestForwarder['forward']>[1]): Promise<boolean> {
    return this.#forwarder.forward(owner, forwarded);
  }

  /**
   * Whether another replica has answered, the one that `find` finds. False where it finds none, or one that is gone: then this replica answers.
   * For a request that another replica has forwarded, none is looked for.
   * @throws HelperError as `RequestForwarder.forward`; what `find` throws.
   */
  async sends(
    find: () => Promise<string | undefined>,
    forwarded: Parameters<RequestForwarder['forward']>[1],
  ): Promise<boolean> {
    if (isForwarded(forwarded.request)) return false;
    const owner = await find();
    return owner !== undefined && this.forward(owner, forwarded);
  }

  /**
   * Whether another replica has answered a request about a connection that is not here.
   * @throws HelperError `unknown_connection` when its body was read for nothing; `cluster_unavailable`.
   */
  async answers(
    connectionId: string,
    forwarded: { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly body?: Buffer | Readable },
  ): Promise<boolean> {
    const owner = await this.ownerOf(forwarded.request, connectionId, { orHint: true });
    if (owner === undefined) return false;
    if (await this.forward(owner, forwarded)) return true;
    throw unknownConnection();
  }
}

/** A route whose requests name a connection. */
export interface ConnectionRoute {
  /** Left out, this is the only server. */
  readonly elsewhere?: ConnectionsElsewhere | undefined;
  readonly assistant: Pick<Assistant, 'findSession'>;
  /** Refuses a request that is not about the caller's own connection, by throwing. */
  readonly check: (request: FastifyRequest) => void;
}

/** What such a route is registered with. */
export interface ConnectionHooks {
  /** Checks the owner, before the body is read where the connection can only be here. */
  readonly onRequest: onRequestHookHandler[];
  /** Lets another replica answer, or checks the owner, before the body is read. */
  readonly preParsing: preParsingHookHandler[];
}

/** The hooks that let requests about a connection be answered where the connection is. */
export function connectionHooks({ elsewhere, assistant, check }: ConnectionRoute): ConnectionHooks {
  if (elsewhere === undefined) return { onRequest: [checked(check)], preParsing: [] };
  const answers = async (request: FastifyRequest, reply: FastifyReply, body: Readable): Promise<boolean> => {
    const connectionId = connectionIdOf(request);
    if (connectionId === undefined || assistant.findSession(connectionId) !== undefined) return false;
    return elsewhere.answers(connectionId, { request, reply, body });
  };
  // eslint-disable-next-line max-params -- Fastify's hook has four
  const hook: preParsingHookHandler = (request, reply, payload, next) => {
    answers(request, reply, payload)
      .then((isAnswered) => {
        if (isAnswered) return;
        check(request);
        next(null, payload);
      })
      .catch(next);
  };
  return { onRequest: [], preParsing: [hook] };
}

/** A hook of Fastify that makes a check. */
export function checked(check: ConnectionRoute['check']): onRequestHookHandler {
  return (request, _reply, next) => {
    check(request);
    next();
  };
}

/** The connection that the query names. */
export function connectionIdOf(request: FastifyRequest): string | undefined {
  const { connectionId } = request.query as Readonly<Record<string, unknown>>; // Fastify's parser makes an object
  return typeof connectionId === 'string' ? connectionId : undefined;
}

/** The fault of a request about a connection that is nowhere. */
export function unknownConnection(): HelperError {
  return new HelperError('unknown_connection', 'There is no connection with this id.');
}
