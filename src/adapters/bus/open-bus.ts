import type { Logger } from '../../core/ports/logger.ts';
import { type BusOptions, CarriedBus } from './carried-bus.ts';
import { InProcessExchange } from './in-process/in-process-exchange.ts';
import type { RedisAddress } from './redis/redis-address.ts';
import { RedisCarrier } from './redis/redis-carrier.ts';
import { newReplicaId } from './replica-id.ts';

/** What is known of a bus before its replica has an id. */
export type OpenBusOptions = Omit<BusOptions, 'replica'>;

/**
 * Joins this replica to others over Redis. Redis may be away at the start: the bus is not up then, and goes on trying.
 */
export function openRedisBus(
  redis: { address: RedisAddress; prefix: string },
  options: OpenBusOptions,
): Promise<CarriedBus> {
  const log: Logger = options.log;
  return CarriedBus.open(new RedisCarrier({ ...redis, log }), { ...options, replica: newReplicaId() });
}

/** Joins this replica to others of the same process. Without an exchange, it is the only replica. */
export function openInProcessBus(options: OpenBusOptions, exchange = new InProcessExchange()): Promise<CarriedBus> {
  return CarriedBus.open(exchange.join(), { ...options, replica: newReplicaId() });
}
