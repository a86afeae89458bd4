import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { HelperError } from '../../core/errors/helper-error.ts';

export interface CrossOriginOptions {
  /** `server.publicUrl`; empty when not set. */
  readonly publicUrl: string;
  /** `server.host`: what the server listens on. */
  readonly host: string;
  /** `server.hosts`: names by which the server is asked, without ports. */
  readonly hosts: readonly string[];
  /** `server.trustProxy`: whether `X-Forwarded-Host` comes from a proxy, and not from the client. */
  readonly trustProxy?: boolean;
  /** The origins of the policy; `*` lists every origin. */
  readonly allowedOrigins: readonly string[];
  /** The policy in the configuration, which a refusal names. Null: there is none, and no other website is let in. */
  readonly policy?: string | null;
  /** The setting that would name a policy where there is none. Left out, none can be named. */
  readonly policySetting?: string | undefined;
  /** `credentials` of the policy: whether the allowed origins may send cookies. */
  readonly credentials: boolean;
}

/** Throws HelperError `forbidden` for a request that a foreign website made a browser send. */
export interface CrossOriginGuard {
  /** Refuses a request that asks for the server by a name that is not its own. */
  checkHost(request: FastifyRequest): void;
  /** `checkHost`, and the rule of foreign websites. */
  check(request: FastifyRequest): void;
  /** Called in addition for every request that a cookie signs in, because browsers add cookies also to requests of foreign websites. */
  checkCookie(request: FastifyRequest): void;
  /**
   * Called in addition for a GET that changes something and that a cookie signs in. A link on a foreign page makes a browser send the
   * cookie without an `Origin`, so the request must say that a page of this server made it.
   */
  checkSamePage(request: FastifyRequest): void;
}

/**
 * The cross-origin rule of contract/doors.md, so that no website can drive a server on somebody's localhost. A foreign `Origin`
 * or `Sec-Fetch-Site` is refused unless `cors.default.origins` lists it. A `Host` that DNS rebinding can bring about is refused, too.
 * Programs send none of these headers and pass.
 */
export function createCrossOriginGuard(options: CrossOriginOptions): CrossOriginGuard {
  const listed = new Set(options.allowedOrigins.map(canonicalOrigin));
  const publicOrigin = options.publicUrl === '' ? undefined : originOf(options.publicUrl);
  const isOwnHost = hostRule(options, publicOrigin);
  const ownOrigin = (request: FastifyRequest): string | undefined =>
    publicOrigin ?? originOf(`${request.protocol}://${request.headers.host ?? ''}`);

  /** Whether another website made a browser send the request. Without an `Origin`, only `Sec-Fetch-Site` can tell. */
  function isForeign(request: FastifyRequest): boolean {
    const { origin } = request.headers;
    if (origin !== undefined) return canonicalOrigin(origin) !== ownOrigin(request);
    const fetchSite = request.headers['sec-fetch-site'];
    // A website below the same domain, or on another port, counts as same-site, but it is another website.
    return fetchSite === 'cross-site' || fetchSite === 'same-site';
  }

  function checkHost({ headers }: FastifyRequest): void {
    if (isOwnHost(headers)) return;
    throw new HelperError(
      'forbidden',
      'This server is not asked by this name. List it in server.hosts, or set server.publicUrl to the address that browsers use.',
      { refusal: 'host' },
    );
  }

  function check(request: FastifyRequest): void {
    checkHost(request);
    if (!isForeign(request) || listed.has('*')) return;
    const { origin } = request.headers;
    if (origin !== undefined && listed.has(canonicalOrigin(origin))) return;
    const { policy = 'cors.default', policySetting } = options;
    const named = policySetting === undefined ? '' : `name a policy in ${policySetting} that lists this origin, or `;
    throw new HelperError(
      'forbidden',
      policy === null
        ? `No other website may use this: ${named}set server.publicUrl if it is this server behind a proxy.`
        : `This origin is not allowed. List it in ${policy}.origins, or set server.publicUrl if it is this server behind a proxy.`,
      { refusal: 'origin' },
    );
  }

  function checkCookie(request: FastifyRequest): void {
    if (options.credentials || !isForeign(request)) return;
    throw new HelperError(
      'forbidden',
      'A cookie signs nobody in from this origin while cors.default.credentials is false: send the token in Authorization.',
      { refusal: 'origin' },
    );
  }

  function checkSamePage(request: FastifyRequest): void {
    const { referer, 'sec-fetch-site': fetchSite } = request.headers;
    const isFromHere =
      fetchSite === undefined
        ? referer !== undefined && originOf(referer) === ownOrigin(request)
        : fetchSite === 'same-origin';
    if (isFromHere) return;
    throw new HelperError(
      'forbidden',
      'A GET that a cookie signs in must come from a page of this server. Send a POST, or the token in Authorization.',
      { refusal: 'origin' },
    );
  }

  return { checkHost, check, checkCookie, checkSamePage };
}

/**
 * The rule of which `Host` names this server. By DNS, a website can make a name of its own lead to this server, so only known names pass:
 * `localhost`, the host of `server.publicUrl` and those of `server.hosts`. A website cannot do that with an address. Loopback addresses
 * therefore pass. Other addresses pass when the server listens on more than loopback and is not published on this machine. Behind a proxy
 * the name counts that the proxy says it was asked by. If it says none, it may ask by a name without a dot, which no website can have.
 */
function hostRule(
  { host, hosts, trustProxy = false }: Pick<CrossOriginOptions, 'host' | 'hosts' | 'trustProxy'>,
  publicOrigin: string | undefined,
): (headers: IncomingHttpHeaders) => boolean {
  const publicHost = publicOrigin === undefined ? [] : [new URL(publicOrigin).hostname];
  const names = new Set(['localhost', ...[...hosts, ...publicHost].map((name) => name.toLowerCase())]);
  const isOnlyLoopback = publicHost.some(isLoopback) || isLoopback(host);
  const isOwn = (header: string): boolean => {
    const name = hostName(header).toLowerCase();
    return names.has(name) || (isOnlyLoopback ? isLoopback(name) : isIP(name.replace(/^\[|\]$/g, '')) !== 0);
  };
  // Most requests name the same host as the request before them.
  let lastOwn: string | undefined;
  const isKnown = (header: string): boolean => {
    if (header !== lastOwn && isOwn(header)) lastOwn = header;
    return header === lastOwn;
  };
  return (headers) => {
    const forwarded = trustProxy ? lastOf(headers['x-forwarded-host']) : undefined;
    if (forwarded !== undefined) return isKnown(forwarded);
    return isKnown(headers.host ?? '') || (trustProxy && isWithoutDot(headers.host ?? ''));
  };
}

/** The entry that the nearest proxy has added. */
function lastOf(header: string | readonly string[] | undefined): string | undefined {
  return header?.toString().split(',').at(-1)?.trim();
}

function isWithoutDot(header: string): boolean {
  return /^[a-z0-9_-]+$/i.test(hostName(header));
}

/** The normal form of an origin, for comparisons. A text that is not an origin of the web stays as it is. */
function canonicalOrigin(origin: string): string {
  return originOf(origin) ?? origin;
}

/**
 * The scheme, the host and the port of an address, without a default port. Undefined when there is no such origin: for an invalid address,
 * for `null`, and for the scheme of an application.
 */
function originOf(address: string): string | undefined {
  const origin = URL.canParse(address) ? new URL(address).origin : 'null';
  return origin === 'null' ? undefined : origin;
}

/**
 * The name in a `Host` header without its port. Empty when the header is not valid. It runs on every request, so it does not use the slower
 * `URL`.
 */
function hostName(host: string): string {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(host)?.[1] ?? '';
}

/** `localhost`, 127.0.0.0/8 and ::1. */
function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  return name === 'localhost' || name === '::1' || /^127(?:\.\d{1,3}){3}$/.test(name);
}
