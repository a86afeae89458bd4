import { describe, expect, it } from 'vitest';
import { SecurityLog } from '../../../../src/channels/shared/security-log.ts';
import { recordingLogger, recordingMetrics } from '../../../support/quiet.ts';

/** The log of a server whose clock the test sets. */
function logAt(clock: { now: number }) {
  const log = recordingLogger();
  const metrics = recordingMetrics();
  const security = new SecurityLog(log, metrics, () => clock.now);
  const refuse = (address: string, times = 1): void => {
    for (let count = 0; count < times; count += 1) security.noteLimit('turns', { kind: 'address', key: address });
  };
  return { log, metrics, security, refuse };
}

describe('the lines of refusals (contract/operations.md#logs)', () => {
  // proves wire-6-51
  it('of one caller go on a minute later, with how many were left out', () => {
    const clock = { now: 0 };
    const { log, metrics, refuse } = logAt(clock);
    refuse('192.0.2.1', 25);
    expect(log.lines).toHaveLength(20);
    expect(log.lines.at(-1)?.fields).not.toHaveProperty('leftOut');
    clock.now = 60_000;
    refuse('192.0.2.1', 2);
    expect(log.lines.slice(20).map(({ fields }) => fields)).toMatchObject([{ leftOut: 5 }, {}]);
    expect(log.lines.at(-1)?.fields).not.toHaveProperty('leftOut');
    expect(metrics.counted).toHaveLength(27);
  });

  // proves wire-6-51
  it('of many callers are bounded in all, and by kind', () => {
    const { log, security, refuse } = logAt({ now: 0 });
    for (let host = 0; host < 400; host += 1) refuse(`192.0.${String(host >> 8)}.${String(host & 255)}`);
    expect(log.lines).toHaveLength(300);
    security.noteResume({ who: 'id:bob', turnId: 't', reason: 'not_owner' });
    expect(log.lines.at(-1)?.fields).toMatchObject({ what: 'resume_refused' });
  });

  it('name a caller without user and address as anonymous', () => {
    const { log, security } = logAt({ now: 0 });
    security.noteLimit('connections', undefined);
    expect(log.lines[0]?.fields).toMatchObject({ what: 'rate_limited', reason: 'connections', who: 'anonymous' });
  });
});
