import type { FastifyRequest } from 'fastify';
import type { Authenticator, Caller } from '../../core/identity/authenticator.ts';

/** Who called, and by what: only cookies are sent by a browser without the page's doing. */
export interface RequestCaller extends Caller {
  readonly carrier: TokenCarrier | undefined;
  /** The valid token as an `Authorization` header, for callbacks that are sent it on (extending.md 2). A secret. */
  readonly authorization: string | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `RequestIdentity`; read it with `of`. */
    helperCaller?: RequestCaller;
  }
}

type TokenCarrier = 'header' | 'cookie' | 'query';

interface PresentedToken {
  readonly token: string;
  readonly carrier: TokenCarrier;
}

export interface RequestIdentityOptions {
  readonly authenticator: Authenticator;
  /** `auth.jwt.cookie`. */
  readonly cookie: string | undefined;
  /** The hub's route, the one place where a token may stand in the query (service.md 5.5). */
  readonly hubPath: string;
}

/**
 * Who makes a request, read once and the same way for every channel (service.md 5): `Authorization`, then the cookie, then
 * on GET of the hub `access_token`. What stands anywhere else is not looked at.
 */
export class RequestIdentity {
  readonly #options: RequestIdentityOptions;

  constructor(options: RequestIdentityOptions) {
    this.#options = options;
  }

  /**
   * Who calls: at once when no token was presented. Rejects with HelperError `unauthenticated` for a token that is presented
   * and not valid (wire.md 1).
   */
  read(request: FastifyRequest): RequestCaller | Promise<RequestCaller> {
    const { authenticator } = this.#options;
    const presented = authenticator.enabled ? this.#presented(request) : undefined;
    if (presented === undefined) return keep(request, authenticator.anonymous());
    return authenticator.authenticate(presented.token).then((caller) => keep(request, caller, presented));
  }

  /** The caller that `read` found. */
  of(request: FastifyRequest): RequestCaller {
    const caller = request.helperCaller;
    if (caller === undefined) throw new Error('the identity of this request was never read');
    return caller;
  }

  #presented(request: FastifyRequest): PresentedToken | undefined {
    const { authorization, cookie } = request.headers;
    const header = /^bearer(?: +|$)(.*)$/i.exec(authorization ?? '')?.[1];
    // Other schemes are for whoever stands in front of this server.
    if (header !== undefined) return { token: header.trim(), carrier: 'header' };
    const name = this.#options.cookie;
    const fromCookie = name === undefined || cookie === undefined ? undefined : cookieNamed(name, cookie);
    if (fromCookie !== undefined) return { token: fromCookie, carrier: 'cookie' };
    if (request.method !== 'GET' || request.routeOptions.url !== this.#options.hubPath) return undefined;
    const { access_token: fromQuery } = request.query as Readonly<Record<string, unknown>>; // Fastify's parser makes an object
    // One that is given twice names no one token.
    if (fromQuery === undefined) return undefined;
    return { token: typeof fromQuery === 'string' ? fromQuery : '', carrier: 'query' };
  }
}

function keep(request: FastifyRequest, { principal, expiresAt }: Caller, presented?: PresentedToken): RequestCaller {
  const caller: RequestCaller = {
    principal,
    carrier: presented?.carrier,
    authorization: presented === undefined ? undefined : `Bearer ${presented.token}`,
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
  request.helperCaller = caller;
  return caller;
}

/** The first cookie of that name. A token has no character that would have to be decoded. */
function cookieNamed(name: string, header: string): string | undefined {
  for (const pair of header.split(';')) {
    const [given = '', ...value] = pair.split('=');
    if (given.trim() === name) return value.join('=').trim();
  }
  return undefined;
}
