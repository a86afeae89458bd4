import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/** How requests of this process reach other servers (contract/operations.md#outgoing-requests). It holds only JSON. */
export interface Network {
  /** The proxies, with their user and password where they have one. Without one, requests go straight to their address. */
  readonly proxyEnv: { readonly HTTP_PROXY?: string; readonly HTTPS_PROXY?: string; readonly NO_PROXY?: string };
  /** PEM texts of roots that are trusted beside those of Node.js. */
  readonly ca: readonly string[];
}

const straight: Network = { proxyEnv: {}, ca: [] };
let current = straight;
/** The roots of Node.js, once others are added. */
let ownRoots: readonly string[] | undefined;

/** What `useNetwork` was given last. */
export function currentNetwork(): Network {
  return current;
}

/**
 * Reaches other servers in this way from now on. It holds for the whole thread, because Node.js keeps its roots for each thread. What is
 * open already stays as it is.
 */
export function useNetwork(network: Network): void {
  // Reading the roots takes milliseconds, which a server that adds none does not pay.
  if (network.ca.length > 0 || current.ca.length > 0) {
    ownRoots ??= getCACertificates('default');
    setDefaultCACertificates([...ownRoots, ...network.ca]);
  }
  current = network;
}

/** Whether any request goes through a proxy. */
export function hasProxy({ proxyEnv }: Network = current): boolean {
  return proxyEnv.HTTP_PROXY !== undefined || proxyEnv.HTTPS_PROXY !== undefined;
}

/** Takes requests of `node:http` or `node:https` (`https:`) through the proxy. */
export function agentOfProxy(protocol: string): Agent {
  const options = { keepAlive: true, proxyEnv: { ...current.proxyEnv } };
  return protocol === 'https:' ? new SecureAgent(options) : new Agent(options);
}
