import type { Decided } from '../confirmations/open-confirmations.ts';
import type { SecuritySeries } from '../events/security-event.ts';
import { reportSecurity } from '../identity/report-security.ts';
import type { CheckedCall } from './tool-call.ts';

/** Writes the line of the security log on how a question ended and who ended it. A rule decides in the place of the turn's user. */
export function reportDecision(
  { call, tool, scope }: CheckedCall,
  actionId: string,
  { outcome, by, presenter, requestId }: Pick<Decided, 'outcome' | 'by' | 'presenter' | 'requestId'>,
): void {
  const { turn, services } = scope;
  const { kind, userKey } = turn.request.caller.principal;
  // The key of an anonymous caller holds the id that opens the connection.
  const who = presenter ?? (kind === 'signed-in' ? userKey : 'anonymous');
  const { id: turnId, conversationId } = turn;
  const ids = { actionId, callId: call.callId, turnId, conversationId, action: tool.name };
  // `SecuritySeries` has all pairs that occur: users and rules approve, users decline, the server expires, and users and the server
  // cancel.
  const series = { what: outcome, reason: by } as SecuritySeries;
  reportSecurity({ ...series, who, requestId, ...ids }, services);
}
