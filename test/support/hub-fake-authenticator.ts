import type { FastifyRequest } from 'fastify';
import type { HubCaller } from '../../src/channels/hub/protocol/hub-callers.ts';

/** A credential of the fake authenticator: the user's name, and how many milliseconds it is valid from now on. */
export function credentialOf(name: string, lifetimeMs?: number): string {
  return lifetimeMs === undefined ? name : `${name}:${String(Date.now() + lifetimeMs)}`;
}

/** Takes credentials of `credentialOf` where browsers send them: in the header, or in the query of a GET. */
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
