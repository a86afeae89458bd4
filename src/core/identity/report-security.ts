import { tenantOfKey } from './user-key.ts';
import type { Logger } from '../ports/logger.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { SecurityEvent, SecuritySeries } from '../events/security-event.ts';
import type { RecentSecurity } from './recent-security.ts';

const messages = {
  authentication_failed: 'a credential was refused',
  entry_refused: 'a user without the role, or without a tenant, was refused',
  origin_refused: 'a request of another website, or by another name, was refused',
  rate_limited: 'a request too many was refused',
  approve_refused: 'the answer to a confirmation was refused: it is another’s',
  cancel_refused: 'a Stop was refused: the turn is another’s',
  session_refused: 'a conversation was refused: it is another’s',
  resume_refused: 'a turn was not resumed: it is another’s',
  memory_refused: 'a memory was refused: it is another’s',
  feedback_refused: 'a rating was refused: the reply is another’s',
  approved: 'a confirmation was approved',
  declined: 'a confirmation was declined',
  expired: 'a confirmation has expired',
  cancelled: 'a confirmation was cancelled',
} as const satisfies Record<SecurityEvent['what'], string>;

const usual: ReadonlySet<SecurityEvent['what']> = new Set([
  'origin_refused',
  'rate_limited',
  'approved',
  'declined',
  'expired',
  'cancelled',
]);

/** Where an event of the security log is told. */
export interface SecurityServices {
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'of'>;
  /** Left out, nobody sees the newest lines. */
  readonly recentSecurity?: Pick<RecentSecurity, 'add'> | undefined;
}

/**
 * Writes a line of the security log, keeps it for the dashboard and counts the event. Each line has `security: true`. A refusal is a
 * warning, except for the events in `usual` and for a missing credential. A caller who is not signed in is no attack.
 */
export function reportSecurity(event: SecurityEvent, { log, metrics, recentSecurity }: SecurityServices): void {
  const { what, reason } = event;
  countSecurity(event, metrics);
  const level = usual.has(what) || reason === 'missing' ? 'info' : 'warn';
  const message = messages[what];
  log[level]({ security: true, ...event }, message);
  recentSecurity?.add({ ...event, level, message });
}

/** Counts an event of the security log without a line of its own. */
export function countSecurity({ what, reason, who }: SecurityEvent, metrics: Pick<Metrics, 'of'>): void {
  // `what` and `reason` belong together, because both come from the same event.
  metrics.of(tenantOfKey(who)).securityEvent({ what, reason } as SecuritySeries);
}
