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
   * Asked beside for a GET that a cookie signs in and that does something. A link that is opened from anywhere else makes a browser send the
   * cookie without an `Origin`, so such a request must say that a page of this server made it.
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

  /** Whether another website made a browser send the request. What carries no `Origin` says no more than that. */
  function isForeign(request: FastifyRequest): boolean {
    const { origin } = request.headers;
    if (origin !== undefined) return canonicalOrigin(origin) !== ownOrigin(request);
    const fetchSite = request.headers['sec-fetch-site'];
    // A neighbour below the same domain, or on another port, counts as same-site, yet it is another website.
    return fetchSite === 'cross-site' || fetchSite === 'same-site';
  }

  function check(request: FastifyRequest): void {
    if (!isOwnHost(request.headers.host ?? '')) {
      throw new HelperError(
        'forbidden',
        'This server is not asked by this name. List it in server.hosts, or set server.publicUrl to the address that browsers use.',
        { refusal: 'host' },
      );
    }
    if (!isForeign(request) || listed.has('*')) return;
    const { origin } = request.headers;
    if (origin !== undefined && listed.has(canonicalOrigin(origin))) return;
    throw new HelperError(
      'forbidden',
      'This origin is not allowed. List it in cors.default.origins, or set server.publicUrl if it is this server behind a proxy.',
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

  return { check, checkCookie, checkSamePage };
}

/**
 * Which `Host` is this server's. A website can make a name of its own lead here by DNS, so names must be known: `localhost` and
 * those of `server.hosts`. It cannot do that to an address, so addresses pass: those of loopback, and any other where the server is bound
 * to more than loopback and has no public address. A public address beyond loopback is behind a proxy, which names hosts as it likes.
 */
function hostRule(
  { host, hosts }: Pick<CrossOriginOptions, 'host' | 'hosts'>,
  publicOrigin: string | undefined,
): (header: string) => boolean {
  if (publicOrigin !== undefined && !isLoopback(new URL(publicOrigin).hostname)) return () => true;
  const names = new Set(['localhost', ...hosts.map((name) => name.toLowerCase())]);
  const isOnlyLoopback = publicOrigin !== undefined || isLoopback(host);
  const isOwn = (header: string): boolean => {
    const name = hostName(header).toLowerCase();
    return names.has(name) || (isOnlyLoopback ? isLoopback(name) : isIP(name.replace(/^\[|\]$/g, '')) !== 0);
  };
  // Most requests name the same host as the request before them.
  let lastOwn: string | undefined;
  return (header) => {
    if (header !== lastOwn && isOwn(header)) lastOwn = header;
    return header === lastOwn;
  };
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

/** `localhost`, 127.0.0.0/8 and ::1. */
function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  return name === 'localhost' || name === '::1' || /^127(?:\.\d{1,3}){3}$/.test(name);
}
