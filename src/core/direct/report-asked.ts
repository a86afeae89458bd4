import type { Decided } from '../confirmations/open-confirmations.ts';
import type { SecuritySeries } from '../events/security-event.ts';
import { tenantOf } from '../identity/principal.ts';
import { reportSecurity } from '../identity/report-security.ts';
import { meteredName } from '../tools/tool-name.ts';
import type { AskedCall, AskingCall } from './asked-call.ts';

/** Counts a question that was put. */
export function reportAsked({ chosen, caller }: Pick<AskingCall, 'chosen' | 'caller'>): void {
  const { metrics } = chosen.services.calls;
  metrics.of(tenantOf(caller.principal)).confirmationRequested({ action: meteredName(chosen.tool.name) });
}

/**
 * What counts how a question ended, and writes the line of the security log. It holds nothing of the request: the question may stand open
 * for long.
 */
export function reportOf(
  { actionId, callId }: Pick<AskedCall, 'actionId' | 'callId'>,
  { chosen, caller }: Pick<AskingCall, 'chosen' | 'caller'>,
): (decided: Decided, waitedMs: number) => void {
  const { calls } = chosen.services;
  const { name } = chosen.tool;
  const { userKey } = caller.principal;
  const tenant = tenantOf(caller.principal);
  return ({ outcome, by, presenter, requestId }, waitedMs) => {
    calls.metrics.of(tenant).confirmationResolved({ action: meteredName(name), outcome, by, waitedMs });
    // `SecuritySeries` has all pairs that occur: users approve, decline and withdraw, the server expires and cancels.
    const series = { what: outcome, reason: by } as SecuritySeries;
    reportSecurity({ ...series, who: presenter ?? userKey, requestId, actionId, callId, action: name }, calls);
  };
}
