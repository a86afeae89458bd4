import type { Requirement } from '../requirement.ts';

const crossOrigin = 'test/unit/channels/shared/cross-origin.test.ts';
const everyAddress = 'test/integration/cross-origin.test.ts';

/** What every way in bears and whom it answers: wire.md 1, 4 and 8 and configuration.md 4, `server`. */
export const doorRequirements: readonly Requirement[] = [
  {
    id: 'wire-1-80',
    source: 'wire.md 1',
    says: 'Bound to more than loopback without a publicUrl, Host must be localhost, an address or one of server.hosts, else 403.',
    tests: [
      { file: everyAddress, title: 'bound to all addresses, refuses %s, and runs nothing (DNS rebinding)' },
      { file: everyAddress, title: 'bound to all addresses, lets in who asks for %s' },
      { file: crossOrigin, title: 'a name that is not listed, when bound to all' },
      { file: crossOrigin, title: 'a name that is not listed, when bound to a name' },
      { file: crossOrigin, title: 'an IPv6 address, when bound to all' },
    ],
  },
];
