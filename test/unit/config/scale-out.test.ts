import { describe, expect, it } from 'vitest';
import { faultsWith, settingsWith } from './load-from-text.ts';

const key = 'A'.repeat(43);
const shared = `storage: { type: postgres, url: 'postgres://helper@db/helper' }\ndataProtection: { keys: [${key}] }\n`;

/** The faults of a server on PostgreSQL with keys, as `path: message`. */
function faultsOf(scaleOut: string, others = shared): readonly string[] {
  return faultsWith(`${others}scaleOut: ${scaleOut}\n`).map(({ path, message }) => `${path}: ${message}`);
}

describe('scaleOut (contract/replicas.md#settings)', () => {
  // proves configuration-5-70
  it('is off by default, for one server', () => {
    expect(settingsWith('').scaleOut).toEqual({
      type: 'none',
      url: null,
      sentinel: null,
      cluster: [],
      prefix: 'helper',
      replicas: 1,
    });
  });

  // proves configuration-5-70
  it.each([
    "{ type: redis, url: 'redis://redis' }",
    "{ type: redis, url: 'rediss://helper:s%23cret@redis.example.com:6380/3' }",
    "{ type: redis, url: 'redis://[::1]:6379/' }",
    "{ type: redis, url: 'redis+unix://helper:secret@localhost/run/redis.sock?db=2', prefix: shop.eu }",
    "{ type: redis, sentinel: { name: main, addresses: ['redis://s1:26379', 'redis://s2:26379'] } }",
    "{ type: redis, url: 'rediss://helper:secret@any', sentinel: { name: main, addresses: ['redis://:pw@s1', 'redis://s2'] } }",
    "{ type: redis, cluster: ['rediss://u:p@n1', 'rediss://n2', 'rediss://u:p@n3'], replicas: 3 }",
  ])('may be %s', (scaleOut) => {
    expect(faultsOf(scaleOut)).toEqual([]);
  });

  it('takes its address from the environment', () => {
    const settings = settingsWith(`${shared}scaleOut: { type: redis, url: '\${REDIS_URL}' }\n`, {
      environment: { REDIS_URL: 'redis://redis:6379' },
    });
    expect(settings.scaleOut.url).toBe('redis://redis:6379');
  });

  // proves configuration-5-71
  it.each([
    ['{ type: redis }', ['scaleOut.url: is missing: scaleOut.type redis needs the address of Redis']],
    ["{ url: 'redis://redis' }", ['scaleOut.url: has no effect without scaleOut.type redis']],
    ["{ cluster: ['redis://redis'] }", ['scaleOut.cluster: has no effect without scaleOut.type redis']],
    ["{ type: redis, url: 'redis://a', cluster: ['redis://b'] }", ['scaleOut.cluster: is not possible beside url']],
    [
      "{ type: redis, url: 'redis+unix://localhost/s', sentinel: { name: m, addresses: ['redis://a'] } }",
      ['scaleOut.url: is of a socket, but Sentinels name servers by host and port'],
    ],
    [
      "{ type: redis, cluster: ['redis://a', 'rediss://b', 'redis://u:hunter2@c'] }",
      ['scaleOut.cluster[1]: has another scheme', 'scaleOut.cluster[2]: has another scheme'],
    ],
    [
      "{ type: redis, sentinel: { name: m, addresses: ['redis://u:p@a', 'redis://u:hunter2@b'] } }",
      ['scaleOut.sentinel.addresses[1]: has another scheme'],
    ],
    ["{ type: redis, url: 'redis://r', prefix: '{a}' }", ['scaleOut.prefix: found "{a}"; allowed: letters of ASCII']],
    ["{ type: redis, url: 'redis://r', replicas: 0 }", ['scaleOut.replicas: found 0; allowed: a whole number from 1']],
    ["{ type: amqp, url: 'redis://r' }", ['scaleOut.type: found "amqp"; allowed: one of none, redis']],
  ])('may not be %s', (scaleOut, expected) => {
    expect(faultsOf(scaleOut)).toEqual(expected.map((text) => expect.stringContaining(text) as string));
  });

  // proves configuration-5-71
  it.each([
    'http://redis:6379',
    'redis:///0',
    'redis://u:hunter#2@redis',
    'redis://u:hunter%2@redis',
    'redis://u:hunter2@redis/db',
    'redis://u:hunter2@redis?db=1',
    'redis+unix://u:hunter2@localhost/s?database=1',
    'redis+unix://localhost',
    'redis://u:hunter2@redis:99999',
    'u:hunter2@redis:6379',
  ])('takes no address it would not understand, and shows no part of it: %s', (url) => {
    const [fault, ...others] = faultsOf(`{ type: redis, url: '${url}' }`);
    expect(others).toEqual([]);
    expect(fault).toMatch(/^scaleOut\.url: found \*\*\*; allowed: an address such as redis:/);
  });

  // proves configuration-5-71
  it.each([
    ['sentinel.addresses[0]', "{ type: redis, sentinel: { name: m, addresses: ['redis://u:hunter2@a/1'] } }"],
    ['cluster[1]', "{ type: redis, cluster: ['redis://b', 'http://u:hunter2@b'] }"],
  ])('shows nothing of %s either', (key, scaleOut) => {
    const allowed = 'found ***; allowed: an address such as redis://user:password@host:6379, or rediss://… with TLS';
    expect(faultsOf(scaleOut)).toEqual([`scaleOut.${key}: ${allowed}`]);
  });
});

describe('what several replicas need (contract/replicas.md#settings)', () => {
  const redis = "{ type: redis, url: 'redis://redis' }";
  const postgres = "storage: { type: postgres, url: 'postgres://helper@db/helper' }\n";
  const keys = `dataProtection: { keys: [${key}] }\n`;

  // proves configuration-5-72
  it.each([
    ['a bus', '{ replicas: 3 }', shared, ['scaleOut.type: is none, but scaleOut.replicas is 3']],
    ['one storage', redis, keys, ['storage.type: is embedded, but scaleOut.type is redis']],
    ['a storage at all', redis, `${keys}storage: { type: memory }\n`, ['storage.type: is memory']],
    ['the same keys', redis, postgres, ['dataProtection.keys: names no key, but scaleOut.type is redis']],
    [
      'all of them at once',
      '{ replicas: 2 }',
      '',
      ['storage.type: is embedded', 'dataProtection.keys: names no key', 'scaleOut.type: is none'],
    ],
  ])('do not start without %s', (_title, scaleOut, others, expected) => {
    expect(faultsOf(scaleOut, others)).toEqual(expected.map((text) => expect.stringContaining(text) as string));
  });

  // proves configuration-5-70
  it('may have their keys in a file, and one server needs nothing', () => {
    expect(faultsOf(redis, `${postgres}dataProtection: { keyFile: keys.json }\n`)).toEqual([]);
    expect(faultsOf('{ replicas: 1 }', '')).toEqual([]);
  });
});
