import type { FastifyRequest } from 'fastify';
import { HelperError } from '../../core/errors/helper-error.ts';

export interface CrossOriginOptions {
  /** `server.publicUrl`; empty when not set. */
  readonly publicUrl: string;
  /** `server.host`: what the server listens on. */
  readonly host: string;
  /** `cors.default.origins`; `*` lists every origin. */
  readonly allowedOrigins: readonly string[];
  /** `cors.default.credentials`: whether those may send cookies. */
  readonly credentials: boolean;
}

/** Throws HelperError `forbidden` for a request that a foreign website made a browser send. */
export interface CrossOriginGuard {
  check(request: FastifyRequest): void;
  /** Asked beside of every request that a cookie signs in: browsers add cookies whether a website may send them or not. */
  checkCookie(request: FastifyRequest): void;
  /**
   * Asked beside for a GET that a cookie signs in and that does something: a page of another site can make a browser GET an address with the
   * cookie and without an `Origin`, so such a request must say by its `Referer` that it comes from here.
   */
  checkReferer(request: FastifyRequest): void;
}

/**
 * The cross-origin rule of wire.md 1, so that no website can drive a server on somebody's localhost: a foreign `Origin`
 * or `Sec-Fetch-Site` is refused unless `cors.default.origins` lists it, and while bound to loopback without
 * a `publicUrl`, or with one of loopback, `Host` must be a loopback name, against DNS rebinding. Programs send none of these headers and pass.
 */
export function createCrossOriginGuard(options: CrossOriginOptions): CrossOriginGuard {
  const listed = new Set(options.allowedOrigins.map(canonicalOrigin));
  const publicOrigin = options.publicUrl === '' ? undefined : originOf(options.publicUrl);
  const checksHost = isLoopback(publicOrigin === undefined ? options.host : new URL(publicOrigin).hostname);
  const ownOrigin = (request: FastifyRequest): string | undefined =>
    publicOrigin ?? originOf(`${request.protocol}://${request.headers.host ?? ''}`);

  /** Whether another website made a browser send the request. What carries no `Origin` says no more than that. */
  function isForeign(request: FastifyRequest): boolean {
    const { origin } = request.headers;
    if (origin !== undefined) return canonicalOrigin(origin) !== ownOrigin(request);
    const fetchSite = request.headers['sec-fetch-site'];
    // A neighbour below the same domain, or on another port, is same-site and yet another website.
    return fetchSite === 'cross-site' || fetchSite === 'same-site';
  }

  function check(request: FastifyRequest): void {
    if (checksHost && !isLoopback(hostName(request.headers.host ?? ''))) {
      throw new HelperError(
        'forbidden',
        'This server is bound to loopback and answers loopback names only. Set server.publicUrl to serve it under another name.',
      );
    }
    if (!isForeign(request) || listed.has('*')) return;
    const { origin } = request.headers;
    if (origin !== undefined && listed.has(canonicalOrigin(origin))) return;
    throw new HelperError(
      'forbidden',
      'This origin is not allowed. List it in cors.default.origins, or set server.publicUrl if it is this server behind a proxy.',
    );
  }

  function checkCookie(request: FastifyRequest): void {
    if (options.credentials || !isForeign(request)) return;
    throw new HelperError(
      'forbidden',
      'A cookie signs nobody in from this origin while cors.default.credentials is false: send the token in Authorization.',
    );
  }

  function checkReferer(request: FastifyRequest): void {
    const { origin, referer } = request.headers;
    if (origin !== undefined || request.headers['sec-fetch-site'] !== undefined) return;
    if (referer !== undefined && originOf(referer) === ownOrigin(request)) return;
    throw new HelperError(
      'forbidden',
      'A request that a cookie signs in must come from a page of this server: send an Origin or Referer header, or the token in Authorization.',
    );
  }

  return { check, checkCookie, checkReferer };
}

/** An origin as origins are compared; one that is no origin of the web stays as it is. */
function canonicalOrigin(origin: string): string {
  return originOf(origin) ?? origin;
}

/** Scheme, host and port, without a default port; undefined for what has none: no address, `null`, an app's own scheme. */
function originOf(address: string): string | undefined {
  const origin = URL.canParse(address) ? new URL(address).origin : 'null';
  return origin === 'null' ? undefined : origin;
}

/** The name in a `Host` header without its port; empty for what is no host. Asked on every request, so without a URL. */
function hostName(host: string): string {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(host)?.[1] ?? '';
}

/** `localhost`, names below it, 127.0.0.0/8 and ::1. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127(?:\.\d{1,3}){3}$/.test(name);
}
