import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ResolvedHub } from './connection/hub-connections.ts';
import { deadlineOf, tokenLifetime } from './hub-callers.ts';
import { tokenOf } from './requests.ts';
import type { HubAdmission } from './transports/hub-admission.ts';
import type { RequestsElsewhere } from './transports/requests-elsewhere.ts';

const bodyLimit = 4_096;

type RefreshFault =
  'refresh_disabled' | 'missing_connection_token' | 'invalid_token' | 'connection_not_found' | 'method_not_allowed';

const faults = {
  refresh_disabled: [404, 'This hub does not ask who its callers are.'],
  missing_connection_token: [400, 'The connection is named by the query value id.'],
  invalid_token: [401, 'The credential is missing, invalid or expired.'],
  connection_not_found: [404, 'There is no connection of this caller with that ID.'],
  method_not_allowed: [405, 'Refresh with POST.'],
} as const satisfies Record<RefreshFault, readonly [number, string]>;

/**
 * `POST {hub}/refresh?id=`: a client shows a new credential, and its connection then lasts as long as that credential. The caller must stay
 * the same.
 */
export function addRefreshRoute<State>(
  app: FastifyInstance,
  hub: ResolvedHub<State>,
  {
    admission,
    elsewhere,
  }: { readonly admission: HubAdmission<State>; readonly elsewhere: RequestsElsewhere<State> | undefined },
): void {
  const url = `${hub.path}/refresh`;
  app.post(url, { bodyLimit, schema: hub.schemas?.refresh ?? {} }, async (request, reply) => {
    hub.guard?.(request);
    const token = tokenOf(request);
    if (hub.authenticate === undefined) return refuse(reply, 'refresh_disabled');
    if (token === undefined) return refuse(reply, 'missing_connection_token');
    if (!(await isAuthentic(hub, request))) return refuse(reply, 'invalid_token');
    const caller = hub.callers.of(request);
    if ((await elsewhere?.answers({ request, reply })) === true) return reply;
    const connection = admission.find(token, caller);
    if (connection === undefined) return refuse(reply, 'connection_not_found');
    connection.renew(deadlineOf(caller), request);
    return reply.header('cache-control', 'no-store').send(tokenLifetime(caller));
  });
  app.route({
    method: ['GET', 'PUT', 'PATCH', 'DELETE'],
    url,
    handler: (_request, reply) => refuse(reply.header('allow', 'POST'), 'method_not_allowed'),
  });
}

async function isAuthentic<State>(hub: ResolvedHub<State>, request: FastifyRequest): Promise<boolean> {
  try {
    await hub.callers.admit(request);
    return true;
  } catch (error) {
    if (hub.isCredentialFault?.(error) === false) throw error;
    hub.log.debug({ error }, 'a hub connection was not refreshed');
    return false;
  }
}

function refuse(reply: FastifyReply, fault: RefreshFault): FastifyReply {
  const [status, description] = faults[fault];
  return reply.code(status).header('cache-control', 'no-store').send({ error: fault, error_description: description });
}
