import { hkdfSync } from 'node:crypto';
import type { HubChannelOptions } from '../../channels/hub/hub-channel.ts';
import type { HubReplicas } from '../../channels/hub/protocol/hub-replicas.ts';
import type { ConnectionOwners } from '../../channels/shared/replicas/connection-owners.ts';
import { readPiece, sentPiece } from '../../channels/shared/replicas/pieces.ts';
import type { ReplicaBus } from '../../core/ports/replica-bus.ts';
import { clocksApartMs } from '../../core/replicas/clocks-apart.ts';
import type { MountServices } from '../channels/mount-channel.ts';
import type { DataKeys } from '../reload/live-sealers.ts';

/** What the hub needs to serve together with other replicas; undefined where this server is the only one. */
export function hubReplicas({
  bus,
  elsewhere,
  dataKeys,
}: Pick<MountServices, 'bus' | 'elsewhere' | 'dataKeys'>): HubChannelOptions['replicas'] {
  if (bus === undefined || elsewhere === undefined) return undefined;
  const { owners } = elsewhere;
  return {
    tokenKeys: tokenKeysOf(dataKeys),
    replicas: {
      replica: owners.replica,
      skewMs: clocksApartMs,
      claim: (connectionId) => owners.claim(connectionId),
      release: (connectionId) => {
        owners.release(connectionId);
      },
      onTaken: (listener) => {
        owners.onTaken(listener);
      },
      ownerOf: (request, connectionId, mayBeNew) =>
        elsewhere.ownerOf(request, connectionId, { orHint: mayBeNew !== undefined }),
      ...earlyPosts(bus, owners),
      forward: (owner, forwarded) => elsewhere.forward(owner, forwarded),
    },
  };
}

const earlyKind = 'early-posts';

/** What clients post before the GET that opens their connection waits in the replica that has negotiated. */
function earlyPosts(bus: ReplicaBus, owners: ConnectionOwners): Pick<HubReplicas, 'takeEarly' | 'offerEarly'> {
  return {
    takeEarly: async (connectionId) => {
      const replica = owners.negotiatorOf(connectionId);
      if (replica === undefined) return [];
      try {
        const answer = await bus.ask({ replica, kind: earlyKind, body: connectionId });
        return answer === null ? [] : [readPiece(answer)];
      } catch {
        // Without these posts the connection gets no handshake, and its client tries again.
        return [];
      }
    },
    offerEarly: (take) => {
      bus.answer(earlyKind, (asked) => {
        const posts = take(typeof asked === 'string' ? asked : '');
        return Promise.resolve(posts.length === 0 ? null : sentPiece(Buffer.concat(posts)));
      });
    },
  };
}

/** The keys of connection tokens, derived from those of `dataProtection`. One key must not sign two kinds of data. */
function tokenKeysOf(dataKeys: () => DataKeys): () => readonly [Uint8Array, ...(readonly Uint8Array[])] {
  let known: DataKeys | undefined;
  let derived: readonly [Uint8Array, ...(readonly Uint8Array[])] | undefined;
  return () => {
    const keys = dataKeys();
    if (derived === undefined || keys !== known) {
      const [first, ...others] = keys;
      derived = [tokenKey(first), ...others.map(tokenKey)];
      known = keys;
    }
    return derived;
  };
}

function tokenKey({ bytes }: DataKeys[number]): Uint8Array {
  return Buffer.from(hkdfSync('sha256', bytes, '', 'helper connection token', 32));
}
