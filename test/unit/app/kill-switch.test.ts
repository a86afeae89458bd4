import { describe, expect, it } from 'vitest';
import { KillSwitch } from '../../../src/app/kill-switch.ts';
import { recordingLogger } from '../../support/quiet.ts';

const by = { who: 'id:ann', requestId: 'r1' };

describe('a kill switch that is set by hand (contract/operations.md#kill-switch)', () => {
  // proves wire-21-44
  it('refuses all writes whatever the configuration says, and leaves what that refuses', () => {
    const log = recordingLogger();
    const killSwitch = new KillSwitch({ killSwitch: { writes: false, tools: ['issue_*'] }, configFile: '' }, log);
    killSwitch.refuseWrites(true, by);
    expect(killSwitch.thrown).toEqual({ writes: true, tools: ['issue_*'] });
    killSwitch.take({ writes: false, tools: ['pay'] });
    expect(killSwitch.thrown).toEqual({ writes: true, tools: ['pay'] });
    expect(killSwitch.stops({ name: 'send' }, false)).toBe(true);
    expect(killSwitch.stops({ name: 'look_up' }, true)).toBe(false);
    killSwitch.refuseWrites(false, by);
    expect(killSwitch.thrown).toEqual({ writes: false, tools: ['pay'] });
    expect(killSwitch.stops({ name: 'send' }, false)).toBe(false);
  });

  // proves wire-21-44
  it('is logged with who has set it, once for each change', () => {
    const log = recordingLogger();
    const killSwitch = new KillSwitch({ killSwitch: { writes: false, tools: [] }, configFile: '' }, log);
    killSwitch.refuseWrites(true, by);
    killSwitch.refuseWrites(true, { who: 'id:bob', requestId: 'r2' });
    killSwitch.refuseWrites(false, { who: 'id:bob', requestId: 'r3' });
    expect(log.lines.map(({ message, ...line }) => [message, line.fields])).toEqual([
      ['the kill switch is on', { writes: true, tools: [], ...by }],
      ['the kill switch is off', { writes: false, tools: [], who: 'id:bob', requestId: 'r3' }],
    ]);
  });
});
