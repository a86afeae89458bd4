import type { FastifyRequest } from 'fastify';
import type { Assistant } from '../../core/assistant.ts';
import type { OwnerRefusal } from '../../core/events/security-event.ts';
import type { Session } from '../../core/sessions/session.ts';
import type { Admission } from './admit-requests.ts';
import { unknownConnection } from './replicas/connections-elsewhere.ts';

/**
 * The session of a connection that is the caller's own (contract/identity.md#whose-it-is). `what` names a refusal in the security log.
 * @throws HelperError `unknown_connection` where there is none, or that it is another's.
 */
export function ownSession(
  request: FastifyRequest,
  { assistant, admission }: { readonly assistant: Pick<Assistant, 'findSession'>; readonly admission: Admission },
  { connectionId, what }: { readonly connectionId: string | undefined; readonly what: OwnerRefusal['what'] },
): Session {
  const session = connectionId === undefined ? undefined : assistant.findSession(connectionId);
  if (session === undefined) throw unknownConnection();
  admission.security.requireOwnSession(request, session, what);
  return session;
}
