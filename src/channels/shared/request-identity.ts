import type { FastifyRequest } from 'fastify';
import type { Authenticator, Caller } from '../../core/identity/authenticator.ts';

/** Who called, and by which credential. Only a cookie is sent by a browser without the page's doing. */
export interface RequestCaller extends Caller {
  readonly carrier: TokenCarrier | undefined;
  /** The valid token as an `Authorization` header, for callbacks that are sent it on (contract/plugins.md#callbacks). A secret. */
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
  /** The hub's route, the one place where a token may stand in the query (contract/identity.md#tokens). */
  readonly hubPath: string;
}

/**
 * Who makes a request, read once and the same way for every channel (contract/identity.md): `Authorization`, then on GET of the hub
 * `access_token`, then the cookie. What stands anywhere else is not looked at.
 */
export class RequestIdentity {
  readonly #options: RequestIdentityOptions;

  constructor(options: RequestIdentityOptions) {
    this.#options = options;
  }

  /** By which of the document's security schemes a token may be presented (contract/addresses.md#openapi); none where nobody signs in. */
  get schemes(): readonly ('bearer' | 'cookie')[] {
    const { authenticator, cookie } = this.#options;
    if (!authenticator.enabled) return [];
    return cookie === undefined ? ['bearer'] : ['bearer', 'cookie'];
  }

  /**
   * Who calls: at once when no token was presented. Rejects with HelperError `unauthenticated` for a token that is presented
   * and not valid (contract/identity.md#tokens).
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
    const header = /^bearer(?:\s+|$)(.*)$/i.exec(authorization ?? '')?.[1];
    // Other schemes are for a program in front of this server.
    if (header !== undefined) return { token: header.trim(), carrier: 'header' };
    const fromQuery = this.#queryToken(request);
    // A token that the page has given counts more than a cookie that its browser adds: the cookie's user may be another
    // one by now.
    if (fromQuery !== undefined) return { token: fromQuery, carrier: 'query' };
    const name = this.#options.cookie;
    const fromCookie = name === undefined || cookie === undefined ? undefined : cookieNamed(name, cookie);
    return fromCookie === undefined ? undefined : { token: fromCookie, carrier: 'cookie' };
  }

  #queryToken(request: FastifyRequest): string | undefined {
    if (request.method !== 'GET' || request.routeOptions.url !== this.#options.hubPath) return undefined;
    const { access_token: token } = request.query as Readonly<Record<string, unknown>>; // Fastify's parser makes an object
    if (token === undefined) return undefined;
    // A token that is given twice names no one token.
    return typeof token === 'string' ? token : '';
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

/**
 * The cookie of that name. A token has no character that would have to be decoded. Neighbours below the same domain can
 * add a cookie of that name, and nothing tells whose cookie is whose. Two cookies that differ name no one token.
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
