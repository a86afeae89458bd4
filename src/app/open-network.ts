import { readFileSync } from 'node:fs';
import { type Network, useNetwork } from '../adapters/shared/network/network.ts';
import { pemCertificates } from '../config/pem-certificates.ts';
import type { HelperSettings } from '../config/settings.ts';
import { withoutQueries } from '../core/errors/hidden-query.ts';
import { type StartupFault, StartupFaults } from '../core/errors/startup-fault.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** How requests leave this server, as operations people see it. */
export interface NetworkReport {
  /** The proxies without user and password, and where each is from: `network.proxy` or a variable of the environment. */
  readonly proxies: readonly { readonly of: 'http' | 'https'; readonly address: string; readonly from: string }[];
  /** Hosts that are reached without a proxy. */
  readonly noProxy: readonly string[];
  /** How many roots are trusted beside those of Node.js. */
  readonly roots: number;
}

interface Chosen {
  readonly address: string;
  readonly from: string;
}

/**
 * Sends the requests of this process in the way of the configuration (contract/operations.md#outgoing-requests).
 * @throws StartupFaults where a proxy of the environment cannot be used.
 */
export function openNetwork(
  { network: settings }: Pick<HelperSettings, 'network'>,
  environment: Environment = process.env,
): NetworkReport {
  const faults: StartupFault[] = [];
  const { proxy, ca } = settings;
  const chosen = (names: readonly string[]): Chosen | undefined => {
    if (proxy !== null) return { address: proxy, from: 'network.proxy' };
    const from = names.find((name) => (environment[name] ?? '') !== '');
    const address = from === undefined ? undefined : addressOf(environment[from] ?? '');
    if (from === undefined) return undefined;
    if (address !== undefined) return { address, from };
    const message = 'is no address of an HTTP proxy, such as http://proxy.example.com:3128';
    faults.push({ file: '(environment)', path: from, message });
    return undefined;
  };
  const http = chosen(['http_proxy', 'HTTP_PROXY']);
  const https = chosen(['https_proxy', 'HTTPS_PROXY']) ?? http;
  if (faults.length > 0) throw new StartupFaults(faults);
  const noProxy = [...settings.noProxy, ...hostsOf(environment['no_proxy'] ?? environment['NO_PROXY'] ?? '')];
  const network: Network = {
    proxyEnv: {
      ...(http === undefined ? {} : { HTTP_PROXY: http.address }),
      ...(https === undefined ? {} : { HTTPS_PROXY: https.address }),
      ...(noProxy.length === 0 ? {} : { NO_PROXY: noProxy.join(',') }),
    },
    ca: ca.flatMap((file) => pemCertificates(readFileSync(file, 'utf8'))),
  };
  useNetwork(network);
  const shown = ({ address, from }: Chosen): Chosen => ({ address: withoutQueries(address), from });
  const proxies = [
    ...(http === undefined ? [] : [{ of: 'http', ...shown(http) } as const]),
    ...(https === undefined ? [] : [{ of: 'https', ...shown(https) } as const]),
  ];
  return { proxies, noProxy: proxies.length === 0 ? [] : noProxy, roots: network.ca.length };
}

/** The address of a proxy of the environment, which is often written without its scheme. */
function addressOf(text: string): string | undefined {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  return /^https?:\/\/[^/?#\s]+\/?$/i.test(address) && URL.canParse(address) ? address : undefined;
}

function hostsOf(text: string): readonly string[] {
  return text.split(/[,\s]+/).filter((host) => host !== '');
}
