import type { Dispatcher1Wrapper } from 'undici';
import { currentNetwork, hasProxy, type Network } from './network.ts';

let opened: { readonly network: Network; readonly dispatcher: Promise<Dispatcher1Wrapper> } | undefined;

/** What `fetch` of the platform is given beside its other options, so that it goes through the proxy of the configuration. */
export async function throughProxy(): Promise<Pick<RequestInit, 'dispatcher'>> {
  const network = currentNetwork();
  if (!hasProxy(network)) return {};
  if (opened?.network !== network) {
    // Loaded only for those who have a proxy: every other start would pay for an HTTP client.
    opened = { network, dispatcher: import('./outbound.ts').then(({ dispatcherOfFetch }) => dispatcherOfFetch()) };
  }
  return { dispatcher: (await opened.dispatcher) as unknown as NonNullable<RequestInit['dispatcher']> }; // made for this
}
