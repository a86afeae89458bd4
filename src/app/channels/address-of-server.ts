import type { FastifyInstance } from 'fastify';
import type { HelperSettings } from '../../config/settings.ts';

/** Tells the address of the root of this server's endpoints, as the client of a request reaches it. */
export function addressOfServer(
  { prefix }: Pick<FastifyInstance, 'prefix'>,
  { server: { publicUrl } }: Pick<HelperSettings, 'server'>,
): (request: { readonly protocol: string; readonly host: string }) => string {
  return ({ protocol, host }) => `${publicUrl === '' ? `${protocol}://${host}` : new URL(publicUrl).origin}${prefix}`;
}
