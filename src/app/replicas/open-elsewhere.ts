import type { FastifyInstance } from 'fastify';
import { ConnectionOwners } from '../../channels/shared/replicas/connection-owners.ts';
import { ConnectionsElsewhere } from '../../channels/shared/replicas/connections-elsewhere.ts';
import { answerForwarded } from '../../channels/shared/replicas/forwarded-answers.ts';
import { RequestForwarder } from '../../channels/shared/replicas/request-forwarder.ts';
import { clocksApartMs } from '../../core/replicas/clocks-apart.ts';
import type { ChannelServices } from '../channels/mount-channel.ts';

/** Milliseconds for which a token may open its connection, by whatever clock. */
const tokenMs = 30_000 + 2 * clocksApartMs;

/**
 * Lets requests about connections be answered by any replica, and answers those that other replicas forward. Undefined where this server is
 * the only one.
 */
export function openElsewhere(
  app: FastifyInstance,
  { bus, assistant, resources, log, settings }: ChannelServices,
): ConnectionsElsewhere | undefined {
  if (bus === undefined) return undefined;
  const owners = new ConnectionOwners({
    bus,
    log,
    tokenMs,
    isNeeded: (connectionId) => assistant.findSession(connectionId) !== undefined,
  });
  resources.add({
    name: 'connections of replicas',
    close: () => {
      owners.close();
      return Promise.resolve();
    },
  });
  answerForwarded({ app, bus, patienceMs: settings.server.requestTimeout });
  return new ConnectionsElsewhere(owners, new RequestForwarder(bus));
}
