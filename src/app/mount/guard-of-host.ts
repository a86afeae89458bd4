import type { Server } from 'node:http';
import type { CrossOriginGuard } from '../../channels/shared/cross-origin.ts';
import type { HelperSettings } from '../../config/settings.ts';
import { crossOriginGuard } from '../cross-origin-guard.ts';

/**
 * The cross-origin rule of a server that somebody else binds: it goes by the address that is listened on. Until then, and behind a
 * socket file, it is as strict as on loopback.
 */
export function guardOfHost(server: Server, settings: HelperSettings): CrossOriginGuard {
  let bound: CrossOriginGuard | undefined;
  function guard(): CrossOriginGuard {
    // A server that listens stays on its address. A request that was injected before says nothing about the address to
    // come.
    if (server.listening) return (bound ??= crossOriginGuard(settings, addressOf(server)));
    return crossOriginGuard(settings, addressOf(server));
  }
  return {
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
