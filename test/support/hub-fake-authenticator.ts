import type { FastifyRequest } from 'fastify';
import type { HubCaller } from '../../src/channels/hub/protocol/hub-callers.ts';

/** A credential of the fake authenticator: who it is, and for how many milliseconds from its making on. */
export function credentialOf(name: string, lifetimeMs?: number): string {
  return lifetimeMs === undefined ? name : `${name}:${String(Date.now() + lifetimeMs)}`;
}

/** Takes what `credentialOf` makes, as browsers send it: in the header, or on a GET in the query. */
export function fakeAuthenticator(request: FastifyRequest): Promise<HubCaller> {
  const query = request.method === 'GET' ? new URL(request.url, 'http://host').searchParams.get('access_token') : null;
  const credential = request.headers.authorization?.replace('Bearer ', '') ?? query;
  if (credential === null) return Promise.resolve({ key: '' });
  const [name = '', expiresAt] = credential.split(':');
  if (name === 'invalid') {
    return Promise.reject(Object.assign(new Error('The credential is invalid.'), { statusCode: 401 }));
  }
  return Promise.resolve({ key: `sub:${name}`, ...(expiresAt !== undefined && { expiresAt: Number(expiresAt) }) });
}
