import { Agent, buildConnector, Dispatcher1Wrapper, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { withoutQueries } from '../../../core/errors/hidden-query.ts';
import { proxyFaultName } from '../connection-reason.ts';
import { describeError } from '../describe-error.ts';
import { currentNetwork, hasProxy } from './network.ts';

/** Milliseconds in which a proxy answers the request for a tunnel. */
const tunnelMs = 30_000;

/** A request that was given to a proxy, and went no further. */
class ProxyFault extends Error {
  override readonly name = proxyFaultName;
}

/**
 * Sends requests to other servers, each on its own connection. A kept connection may be closed at the moment when it is used, and a request
 * is not sent twice. The signal of each request is its time limit. Requests go through the proxy of the configuration, where it has one.
 */
export class Outbound {
  readonly dispatcher: Dispatcher;
  /** The errors of connecting. With such an error, nothing was sent to the other side. */
  readonly #unsent = new WeakSet<Error>();

  /** `connectMs`: milliseconds in which a connection must be there; left out, 10 s. */
  constructor(
    options: Pick<Agent.Options, 'maxResponseSize' | 'maxHeaderSize'> & { readonly connectMs?: number } = {},
  ) {
    const { connectMs, ...limits } = options;
    const bounds = { ...limits, ...(connectMs === undefined ? {} : { connectTimeout: connectMs }) };
    this.dispatcher = openDispatcher({ pipelining: 0, headersTimeout: 0, bodyTimeout: 0, ...bounds }, (error) => {
      this.#unsent.add(error);
    });
  }

  /** Whether nothing of the request with this error has left for the other side. */
  isUnsent(error: unknown): boolean {
    return error instanceof Error && this.#unsent.has(error);
  }

  /** Ends the requests under way. */
  close(): Promise<void> {
    return this.dispatcher.destroy();
  }
}

/** Connections to one origin that stay open, through the proxy of the configuration where it has one. */
export function outboundPool(origin: string, options: Pool.Options): Dispatcher {
  if (!hasProxy()) return new Pool(origin, options);
  return openDispatcher(options).compose((dispatch) => (request, handler) => dispatch({ ...request, origin }, handler));
}

/** For `fetch` of the platform, which speaks with dispatchers in the way of an earlier version. */
export function dispatcherOfFetch(): Dispatcher1Wrapper {
  return new Dispatcher1Wrapper(openDispatcher({}));
}

function openDispatcher(options: Pool.Options, unsent?: (error: Error) => void): Dispatcher {
  const { proxyEnv } = currentNetwork();
  // The options that a dispatcher passes on differ from case to case, and hold for none of its proxies.
  const factory = (origin: string | URL, given: object): Dispatcher =>
    new Pool(origin, { ...options, ...given, connect: noting(given, options, unsent) });
  if (!hasProxy()) return new Agent({ ...options, factory });
  return new EnvHttpProxyAgent({
    ...options,
    factory,
    clientFactory: (origin, given) => new Pool(origin, { ...given, headersTimeout: tunnelMs }),
    httpProxy: proxyEnv.HTTP_PROXY ?? '',
    httpsProxy: proxyEnv.HTTPS_PROXY ?? '',
    noProxy: proxyEnv.NO_PROXY ?? '',
  });
}

/** How a pool connects. Its errors are noted, and name the proxy that they come from. */
function noting(
  given: Pool.Options,
  { connectTimeout }: Pool.Options,
  unsent: ((error: Error) => void) | undefined,
): buildConnector.connector {
  const { connect: way } = given;
  // A way that is a function is the one through a proxy.
  const connect =
    typeof way === 'function'
      ? way
      : buildConnector({ ...(connectTimeout === undefined ? {} : { timeout: connectTimeout }), ...way });
  return (target, done) => {
    connect(target, (...[error, socket]) => {
      if (error === null) {
        done(null, socket);
        return;
      }
      const named = typeof way === 'function' ? proxyFault(error, target) : error;
      unsent?.(named);
      done(named, null);
    });
  };
}

/** The words of a failed connection through a proxy, with its address. */
function proxyFault(error: Error, { protocol }: buildConnector.Options): ProxyFault {
  const { HTTP_PROXY, HTTPS_PROXY } = currentNetwork().proxyEnv;
  const proxy = withoutQueries((protocol === 'https:' ? HTTPS_PROXY : HTTP_PROXY) ?? '');
  const status = /^Proxy response \((\d+)\)/.exec(error.message)?.[1];
  const reason = status === undefined ? describeError(error) : `it answered ${status}`;
  const hint = status === '407' ? ', so it wants a user and a password in its address' : '';
  return new ProxyFault(`through the proxy ${proxy}: ${reason}${hint}`, { cause: error });
}
