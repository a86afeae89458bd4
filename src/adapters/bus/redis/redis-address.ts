import { checkServerIdentity, type ConnectionOptions } from 'node:tls';
import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis';
import { bearLateErrors } from './late-errors.ts';

/** Where Redis is: one server, servers that Sentinels know, or a Redis Cluster. */
export type RedisAddress =
  /** `redis://user:password@host:6379/0`, `rediss://` with TLS, or `redis+unix://user:password@localhost/path?db=0`. */
  | { readonly kind: 'server'; readonly url: string }
  /** Addresses of Sentinels with their own user, password and TLS. Those of the servers are those of `url`, whose host is not looked at. */
  | {
      readonly kind: 'sentinel';
      readonly name: string;
      readonly addresses: readonly string[];
      readonly url: string | null;
    }
  /** Addresses of some nodes. User, password and TLS of the first one hold for all nodes. */
  | { readonly kind: 'cluster'; readonly addresses: readonly string[] };

/** What a connection is made with. Replies have the shapes of RESP2. */
type Options = Omit<RedisOptions, 'replyMapping'>;

/** A connection to Redis. */
export type RedisClient = Redis | Cluster;

/** Milliseconds that a command and a connection may take. */
const commandMs = 1_000;
const connectMs = 2_000;
/** Milliseconds for the other side to agree to a connection's end. */
const disconnectMs = 200;

/** Milliseconds before the next attempt to connect. */
function backOff(attempt: number): number {
  return Math.min(50 * 2 ** Math.min(attempt, 6), 2_000);
}

/** A command fails at once when there is no connection, and is never sent a second time. */
const commonOptions = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  commandTimeout: commandMs,
  connectTimeout: connectMs,
  disconnectTimeout: disconnectMs,
  autoResendUnfulfilledCommands: false,
  autoResubscribe: false,
  enableReadyCheck: false,
  disableClientInfo: true,
  lazyConnect: true,
  keepAlive: 10_000,
  protocol: 2,
} as const satisfies Options;

/** A connection that is not open yet. Its errors MUST be listened to. */
export function redisClient(address: RedisAddress): RedisClient {
  bearLateErrors();
  const retries = { retryStrategy: backOff };
  switch (address.kind) {
    case 'server':
      return new Redis({ ...commonOptions, ...retries, ...serverOf(address.url) });
    case 'sentinel':
      return new Redis({ ...commonOptions, ...retries, ...sentinelOptions(address) });
    case 'cluster':
      return new Cluster(
        address.addresses.map((each) => hostOf(each)),
        clusterOptions(address.addresses),
      );
  }
}

/** Makes a client close what it has open and connect anew. A client that is connecting is left to it. */
export function renewConnection(client: RedisClient): void {
  // `disconnect(true)` of a Cluster never ends when its last node has just left. A Cluster without nodes connects anew by itself.
  if (client instanceof Cluster) for (const node of client.nodes()) node.disconnect();
  else if (client.status === 'ready') client.disconnect(true);
}

function clusterOptions(addresses: readonly string[]): Omit<ClusterOptions, 'replyMapping' | 'redisOptions'> & {
  readonly redisOptions: Omit<
    Options,
    'port' | 'host' | 'path' | 'sentinels' | 'retryStrategy' | 'enableOfflineQueue' | 'readOnly'
  >;
} {
  const [first = ''] = addresses;
  return {
    enableOfflineQueue: false,
    enableReadyCheck: false,
    lazyConnect: true,
    clusterRetryStrategy: backOff,
    retryDelayOnFailover: 100,
    maxRedirections: 3,
    // The name of a node is what its certificate is for, so it is not looked up here.
    dnsLookup: (host, found) => {
      found(null, host);
    },
    redisOptions: { ...commonOptions, ...credentialsOf(first), ...(hasTls(first) && { tls: tlsOfAny(addresses) }) },
  };
}

function sentinelOptions({ name, addresses, url }: Extract<RedisAddress, { kind: 'sentinel' }>): Options {
  const [first = ''] = addresses;
  const { username, password } = credentialsOf(first);
  return {
    name,
    sentinels: addresses.map((each) => hostOf(each, 26_379)),
    sentinelCommandTimeout: commandMs,
    sentinelRetryStrategy: backOff,
    ...(username === undefined ? {} : { sentinelUsername: username }),
    ...(password === undefined ? {} : { sentinelPassword: password }),
    ...(hasTls(first) && { sentinelTLS: tlsOfAny(addresses) }),
    ...(url === null ? {} : { ...credentialsOf(url), db: databaseOf(new URL(url)) }),
    // This setting is for the servers, not for the Sentinels. Without a name here, a certificate must be for the host that Sentinels name.
    ...(url !== null && hasTls(url) && { enableTLSForSentinelMode: true, tls: {} }),
  };
}

function serverOf(text: string): Options {
  const url = new URL(text);
  if (url.protocol === 'redis+unix:') {
    return {
      path: decodeURIComponent(url.pathname),
      ...credentialsOf(text),
      db: Number(url.searchParams.get('db') ?? 0),
    };
  }
  const tls = hasTls(text) && { tls: isAddress(url.hostname) ? {} : { servername: url.hostname } };
  return { ...hostOf(text), ...credentialsOf(text), ...tls, db: databaseOf(url) };
}

function databaseOf({ pathname }: URL): number {
  return Number(pathname.slice(1));
}

function hostOf(text: string, defaultPort = 6_379): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(text);
  // Brackets around an IPv6 address belong to the URL.
  return { host: hostname.replace(/^\[(.*)\]$/u, '$1'), port: port === '' ? defaultPort : Number(port) };
}

function credentialsOf(text: string): Pick<RedisOptions, 'username' | 'password'> {
  const { username, password } = new URL(text);
  return {
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
  };
}

function hasTls(text: string): boolean {
  return new URL(text).protocol === 'rediss:';
}

/**
 * TLS for nodes of which some are named in a list, and others are told of by these. A certificate must be for the host that is connected
 * to, or for one of the list: nodes often tell of each other by their addresses, which no certificate is for.
 */
function tlsOfAny(addresses: readonly string[]): ConnectionOptions {
  const names = addresses.map((each) => hostOf(each).host);
  return {
    checkServerIdentity: (host, certificate) => {
      const fault = checkServerIdentity(host, certificate);
      const isOfList = names.some((name) => checkServerIdentity(name, certificate) === undefined);
      return isOfList ? undefined : fault;
    },
  };
}

/** TLS has server names for names only, not for addresses. */
function isAddress(hostname: string): boolean {
  return hostname.startsWith('[') || /^[\d.]+$/u.test(hostname);
}
