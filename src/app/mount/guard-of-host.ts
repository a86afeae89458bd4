import type { Server } from 'node:http';
import type { CrossOriginGuard } from '../../channels/shared/cross-origin.ts';
import type { HelperSettings } from '../../config/settings.ts';
import type { CorsPolicy, UnnamedPolicy } from '../cors-policy.ts';
import { crossOriginGuard } from '../cross-origin-guard.ts';

/**
 * The cross-origin rule for a server that the host application binds. The rule follows the address on which the server listens. Before
 * the server listens, and on a socket file, the rule is as strict as on loopback. `policy` is that of `crossOriginGuard`.
 */
export function guardOfHost(
  server: Server,
  settings: HelperSettings,
  policy: CorsPolicy | UnnamedPolicy | undefined,
): CrossOriginGuard {
  let bound: CrossOriginGuard | undefined;
  function guard(): CrossOriginGuard {
    // A listening server keeps its address, so its guard is kept. An injected request before that tells nothing about the later address.
    if (server.listening) return (bound ??= crossOriginGuard(settings, addressOf(server), policy));
    return crossOriginGuard(settings, addressOf(server), policy);
  }
  return {
    checkHost: (request) => {
      guard().checkHost(request);
    },
    check: (request) => {
      guard().check(request);
    },
    checkCookie: (request) => {
      guard().checkCookie(request);
    },
    checkSamePage: (request) => {
      guard().checkSamePage(request);
    },
  };
}

function addressOf(server: Server): string {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.address : '127.0.0.1';
}
