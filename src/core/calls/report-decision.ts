import type { Decided } from '../confirmations/open-confirmations.ts';
import { reportSecurity } from '../identity/report-security.ts';
import type { CheckedCall } from './tool-call.ts';

/** The line of the security log on who has decided: a rule decides in the place of the turn's user. */
export function reportDecision(
  { call, tool, scope }: CheckedCall,
  actionId: string,
  { outcome, by, presenter, requestId }: Pick<Decided, 'outcome' | 'by' | 'presenter' | 'requestId'>,
): void {
  if (by === 'system' || (outcome !== 'approved' && outcome !== 'declined')) return;
  const { turn, services } = scope;
  const who = presenter ?? turn.request.caller.principal.userKey;
  const { id: turnId, conversationId } = turn;
  const ids = { actionId, callId: call.callId, turnId, conversationId, action: tool.name };
  reportSecurity({ what: outcome, reason: by, who, requestId, ...ids }, services);
}
