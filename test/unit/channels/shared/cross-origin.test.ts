import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { createCrossOriginGuard, type CrossOriginOptions } from '../../../../src/channels/shared/cross-origin.ts';

const loopback: CrossOriginOptions = {
  publicUrl: '',
  host: '127.0.0.1',
  hosts: ['chat.example.com', '[fd00::9]'],
  allowedOrigins: ['https://shop.example.com'],
  credentials: true,
};
const behindProxy: CrossOriginOptions = { ...loopback, hosts: ['[fd00::9]'], publicUrl: 'https://chat.example.com' };
const trusting: CrossOriginOptions = { ...behindProxy, hosts: [], trustProxy: true };
const atAddress: CrossOriginOptions = { ...behindProxy, publicUrl: 'https://[2001:DB8::1]:8443' };
const everywhere: CrossOriginOptions = { ...loopback, host: '0.0.0.0' };
const published: CrossOriginOptions = { ...everywhere, publicUrl: 'http://localhost:8080' };
const named: CrossOriginOptions = { ...loopback, host: 'helper.internal' };

function passes(options: CrossOriginOptions, headers: Record<string, string>, protocol = 'http'): boolean {
  try {
    // The guard reads nothing else of a request.
    createCrossOriginGuard(options).check({ headers, protocol } as unknown as FastifyRequest);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'forbidden' });
    return false;
  }
}

describe('the cross-origin rule (contract/doors.md)', () => {
  const host = 'localhost:8080';
  it.each([
    // proves wire-1-13
    ['a program that sends no such header', loopback, { host }, true],
    ['the own origin', loopback, { host, origin: 'http://localhost:8080' }, true],
    // proves wire-1-14
    ['another port', loopback, { host, origin: 'http://localhost:9090' }, false],
    // proves wire-1-14
    ['another scheme', loopback, { host, origin: 'https://localhost:8080' }, false],
    // proves wire-1-14
    ['another host', loopback, { host, origin: 'http://evil.example:8080' }, false],
    ['an opaque origin', loopback, { host, origin: 'null' }, false],
    ['a listed origin', loopback, { host, origin: 'https://shop.example.com' }, true],
    // proves wire-1-12
    [
      'a listed origin, cross-site',
      loopback,
      { host, origin: 'https://shop.example.com', 'sec-fetch-site': 'cross-site' },
      true,
    ],
    // proves wire-1-11
    ['cross-site without an origin', loopback, { host, 'sec-fetch-site': 'cross-site' }, false],
    // proves wire-1-11
    [
      'a neighbour on the same host or domain, without an origin',
      loopback,
      { host, 'sec-fetch-site': 'same-site' },
      false,
    ],
    ['same-origin by Sec-Fetch-Site', loopback, { host, 'sec-fetch-site': 'same-origin' }, true],
    // proves wire-1-15
    ['a name that was bound to loopback by DNS', loopback, { host: 'evil.example' }, false],
    // proves wire-1-15
    [
      'a rebound name that claims its own origin',
      loopback,
      { host: 'evil.example', origin: 'http://evil.example' },
      false,
    ],
    ['no host at all', loopback, {}, false],
    ['127.0.0.1', loopback, { host: '127.0.0.1:8080' }, true],
    ['another loopback address', loopback, { host: '127.9.9.9:8080' }, true],
    ['[::1]', loopback, { host: '[::1]:8080' }, true],
    ['a name that only begins like one', loopback, { host: '127.0.0.1.evil.example' }, false],
    ['a name below localhost', loopback, { host: 'evil.localhost' }, false],
    ['localhost in capitals', loopback, { host: 'LOCALHOST:8080' }, true],
    ['a name of server.hosts', loopback, { host: 'Chat.Example.com:8080' }, true],
    ['an address of server.hosts', loopback, { host: '[fd00::9]:8080' }, true],
    ['an address beyond loopback while bound to it', loopback, { host: '192.168.1.5:8080' }, false],
    // proves wire-1-80
    ['a name that is not listed, when bound to all', everywhere, { host: 'evil.example:8080' }, false],
    ['a name that begins like a listed one', everywhere, { host: 'chat.example.com.evil.example' }, false],
    ['a name with an address in front', everywhere, { host: '192.168.1.5.evil.example' }, false],
    ['a number that is no address', everywhere, { host: '127.1' }, false],
    ['no host at all, when bound to all', everywhere, {}, false],
    ['a name of server.hosts, when bound to all', everywhere, { host: 'chat.example.com' }, true],
    ['localhost, when bound to all', everywhere, { host: 'localhost:8080' }, true],
    ['an IPv4 address, when bound to all', everywhere, { host: '192.168.1.5:8080' }, true],
    // proves wire-1-80
    ['an IPv6 address, when bound to all', everywhere, { host: '[2001:db8::1]:8080' }, true],
    // proves wire-1-80
    ['a name that is not listed, when bound to a name', named, { host: 'evil.example' }, false],
    ['the name it is bound to, unless it is listed', named, { host: 'helper.internal' }, false],
    ['a rebound name, published on this machine', published, { host: 'evil.example:8080' }, false],
    ['another address, published on this machine', published, { host: '192.168.1.5:8080' }, false],
    ['loopback, published on this machine', published, { host: '127.0.0.1:8080' }, true],
    ['a name of server.hosts, published on this machine', published, { host: 'chat.example.com' }, true],
    // proves wire-1-14
    [
      'publicUrl, by whatever name a trusted proxy asks',
      trusting,
      { host: 'inner:8080', origin: 'https://chat.example.com' },
      true,
    ],
    // proves wire-1-99
    ['the host of publicUrl', behindProxy, { host: 'CHAT.example.com' }, true],
    ['the host of publicUrl with a port', behindProxy, { host: 'chat.example.com:443' }, true],
    ['an IPv6 address as publicUrl', atAddress, { host: '[2001:db8::1]:8443' }, true],
    ['a loopback address, with a publicUrl', behindProxy, { host: '[::1]:8080' }, true],
    ['localhost, with a publicUrl', behindProxy, { host: 'localhost:8080' }, true],
    ['a name of server.hosts, with a publicUrl', behindProxy, { host: '[fd00::9]' }, true],
    ['an address, with a publicUrl and bound to all', { ...behindProxy, host: '::' }, { host: '10.0.0.7:8080' }, true],
    // proves wire-1-99
    ['a rebound name, with a publicUrl', behindProxy, { host: 'evil.example' }, false],
    [
      'a rebound name, with a publicUrl and bound to all',
      { ...behindProxy, host: '0.0.0.0' },
      { host: 'evil.example' },
      false,
    ],
    ['a name below that of publicUrl', behindProxy, { host: 'a.chat.example.com' }, false],
    ['a name that begins like that of publicUrl', behindProxy, { host: 'chat.example.com.evil.example' }, false],
    ['another address, with a publicUrl', behindProxy, { host: '192.168.1.5' }, false],
    ['a name without a dot that no proxy sends', behindProxy, { host: 'inner' }, false],
    [
      'a forwarded name that no proxy sends',
      behindProxy,
      { host: 'evil.example', 'x-forwarded-host': 'chat.example.com' },
      false,
    ],
    // proves wire-1-99
    ['what a proxy was asked by', trusting, { host: 'helper.inner.lan', 'x-forwarded-host': 'chat.example.com' }, true],
    [
      'what the nearest proxy was asked by',
      trusting,
      { host: 'inner', 'x-forwarded-host': 'evil.example, chat.example.com' },
      true,
    ],
    ['a proxy that passes Host on', trusting, { host: 'chat.example.com' }, true],
    // proves wire-1-99
    ['a rebound name that a proxy passes on', trusting, { host: 'evil.example' }, false],
    [
      'a rebound name that a proxy was asked by',
      trusting,
      { host: 'localhost', 'x-forwarded-host': 'evil.example' },
      false,
    ],
    [
      'a rebound name behind an invented one',
      trusting,
      { host: 'inner', 'x-forwarded-host': 'chat.example.com, evil.example' },
      false,
    ],
    // proves wire-1-14
    [
      'Host is not the own origin once publicUrl is set',
      trusting,
      { host: 'inner:8080', origin: 'http://inner:8080' },
      false,
    ],
    [
      'every origin where * is listed',
      { ...loopback, allowedOrigins: ['*'] },
      { host, origin: 'https://any.example' },
      true,
    ],
  ] as const)('%s', (_title, options, headers, expected) => {
    expect(passes(options, headers)).toBe(expected);
  });

  it.each([
    ['capacitor://localhost', true],
    ['null', false],
    ['chrome-extension://evil', false],
    ['capacitor://evil', false],
  ])('does not take one origin without a host of the web for another: %s', (origin, expected) => {
    const options = { ...everywhere, allowedOrigins: ['capacitor://localhost'] };
    expect(passes(options, { host: 'chat.example.com', origin })).toBe(expected);
  });

  it('compares origins without their default port', () => {
    expect(passes(everywhere, { host: 'chat.example.com', origin: 'https://chat.example.com:443' }, 'https')).toBe(
      true,
    );
  });
});

describe('a request that a cookie signs in (contract/doors.md)', () => {
  const host = 'localhost:8080';
  const listed = { host, origin: 'https://shop.example.com', 'sec-fetch-site': 'cross-site' };
  const withoutCredentials = { ...loopback, credentials: false };
  const anyOrigin = { ...withoutCredentials, allowedOrigins: ['*'] };
  it.each([
    ['of a page of this server', withoutCredentials, { host, origin: 'http://localhost:8080' }, true],
    ['of a program', withoutCredentials, { host }, true],
    ['of a listed website', loopback, listed, true],
    // proves wire-1-70
    ['of a listed website that may not send cookies', withoutCredentials, listed, false],
    ['of any website, where all are listed', anyOrigin, { host, origin: 'https://evil.example' }, false],
    ['of any website, without an origin', anyOrigin, { host, 'sec-fetch-site': 'cross-site' }, false],
    ['of a neighbour, where all are listed', anyOrigin, { host, 'sec-fetch-site': 'same-site' }, false],
  ] as const)('%s', (_title, options, headers, expected) => {
    // The guard reads nothing else of a request.
    const request = { headers, protocol: 'http' } as unknown as FastifyRequest;
    const guard = createCrossOriginGuard(options);
    guard.check(request);
    const ask = (): void => {
      guard.checkCookie(request);
    };
    if (expected) expect(ask).not.toThrow();
    else expect(ask).toThrow(expect.objectContaining({ code: 'forbidden' }));
  });
});
