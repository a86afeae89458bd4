import type { OpenConfirmations } from '../../confirmations/open-confirmations.ts';
import type { ChannelName } from '../../events/turn-event.ts';
import { tenantOf } from '../../identity/principal.ts';
import { tenantOfKey } from '../../identity/user-key.ts';
import type { LiveNumbers, LiveTurns } from '../../ports/metrics.ts';
import type { LiveTurn } from './live-turn.ts';

interface Counting extends LiveTurns {
  readonly runningTurns: Record<ChannelName, number>;
  openQuestions: number;
  oldestQuestionMs: number;
}

/** How many turns run and how many questions wait: of callers without a tenant, and of each tenant (contract/operations.md#metrics). */
export function liveNumbers(turns: Iterable<LiveTurn>, questions: OpenConfirmations['waiting']): LiveNumbers {
  const ofNone = nothingYet();
  const tenants = new Map<string, Counting>();
  const of = (tenant: string | undefined): Counting => {
    if (tenant === undefined) return ofNone;
    const known = tenants.get(tenant) ?? nothingYet();
    tenants.set(tenant, known);
    return known;
  };
  for (const { principal, request } of turns) of(tenantOf(principal)).runningTurns[request.channel.name] += 1;
  for (const { userKey, waitedMs } of questions) {
    const counting = of(tenantOfKey(userKey));
    counting.openQuestions += 1;
    counting.oldestQuestionMs = Math.max(counting.oldestQuestionMs, waitedMs);
  }
  return { ...ofNone, tenants };
}

function nothingYet(): Counting {
  return {
    runningTurns: { hub: 0, sse: 0, 'in-process': 0, openai: 0, a2a: 0, agui: 0 },
    openQuestions: 0,
    oldestQuestionMs: 0,
  };
}
