import type { FastifyRequest } from 'fastify';
import type { Authenticator, Caller } from '../../core/identity/authenticator.ts';

/** The caller of a request, and the carrier of the credential. A browser sends only cookies without the page's action. */
export interface RequestCaller extends Caller {
  readonly carrier: TokenCarrier | undefined;
  /** The valid token as an `Authorization` header, for callbacks that get it (contract/plugins.md#callbacks). It is a secret. */
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
  /** The route of the hub. Only its requests may have a token in the query (contract/identity.md#tokens). */
  readonly hubPath: string;
  /** Says who calls in place of tokens. Rejects as `read` does. */
  readonly vouch?: ((request: FastifyRequest) => Promise<Caller>) | undefined;
}

/**
 * Tells who makes a request, in the same way for every channel (contract/identity.md). It reads `Authorization`, then `access_token` on a
 * GET of the hub, then the cookie. Nothing else of the request is read, unless `vouch` reads it.
 */
export class RequestIdentity {
  readonly #options: RequestIdentityOptions;

  constructor(options: RequestIdentityOptions) {
    this.#options = options;
  }

  /** The security schemes of the document by which a token may be presented (contract/addresses.md#openapi). Empty when nobody signs in. */
  get schemes(): readonly ('bearer' | 'cookie')[] {
    const { authenticator, cookie } = this.#options;
    if (!authenticator.enabled) return [];
    return cookie === undefined ? ['bearer'] : ['bearer', 'cookie'];
  }

  /**
   * The caller. Returns a promise only when a token was presented, and with `vouch`. Rejects with HelperError `unauthenticated` for a token
   * that is presented and not valid (contract/identity.md#tokens).
   */
  read(request: FastifyRequest): RequestCaller | Promise<RequestCaller> {
    const { authenticator, vouch } = this.#options;
    if (vouch !== undefined) return vouch(request).then((caller) => keep(request, caller));
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
    const fromHeader = bearerToken(authorization);
    if (fromHeader !== undefined) return { token: fromHeader, carrier: 'header' };
    const fromQuery = this.#queryToken(request);
    // The token of the page is used before the cookie that its browser adds, because the cookie may belong to another user by now.
    if (fromQuery !== undefined) return { token: fromQuery, carrier: 'query' };
    const name = this.#options.cookie;
    const fromCookie = name === undefined || cookie === undefined ? undefined : cookieNamed(name, cookie);
    return fromCookie === undefined ? undefined : { token: fromCookie, carrier: 'cookie' };
  }

  #queryToken(request: FastifyRequest): string | undefined {
    if (request.method !== 'GET' || request.routeOptions.url !== this.#options.hubPath) return undefined;
    const { access_token: token } = request.query as Readonly<Record<string, unknown>>; // Fastify's parser makes an object
    if (token === undefined) return undefined;
    // Two tokens in the query do not identify one token, so they count as a token that is not valid.
    return typeof token === 'string' ? token : '';
  }
}

/** The token of an `Authorization` header. A header with another scheme is meant for a program in front of this server, so it has none. */
export function bearerToken(authorization: string | undefined): string | undefined {
  const header = /^bearer(?:$|\s(.*)$)/i.exec(authorization ?? '');
  return header === null ? undefined : (header[1]?.trim() ?? '');
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

/**
 * The value of the cookie with this name. A token has no character that needs decoding. Other websites below the same domain can add a
 * cookie with this name, and nothing tells which cookie is the right one. Two different values therefore count as a token that is not
 * valid.
 */
function cookieNamed(name: string, header: string): string | undefined {
  const values = new Set<string>();
  for (const pair of header.split(';')) {
    const [given = '', ...value] = pair.split('=');
    if (given.trim() === name) values.add(value.join('=').trim());
  }
  const [first] = values;
  return values.size > 1 ? '' : first;
}
