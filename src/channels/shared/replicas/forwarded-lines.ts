import type { Duplex } from 'node:stream';
import type { FastifyRequest } from 'fastify';

const lines = new WeakSet<Duplex>();

/** Marks the line over which a request comes that another replica has forwarded. */
export function markForwarded(line: Duplex): void {
  lines.add(line);
}

/** Whether another replica has forwarded this request. Such a request is answered here or not at all, and counted where its client came. */
export function isForwarded(request: Pick<FastifyRequest, 'raw'>): boolean {
  return lines.has(request.raw.socket);
}
