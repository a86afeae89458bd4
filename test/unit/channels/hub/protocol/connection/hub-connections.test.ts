import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { placesPerKey } from '../../../../../../src/channels/hub/protocol/connection/connection-places.ts';
import { HubConnections } from '../../../../../../src/channels/hub/protocol/connection/hub-connections.ts';
import { inMicrotask } from '../../../../../../src/channels/hub/protocol/connection/outbox.ts';
import { HubCallers } from '../../../../../../src/channels/hub/protocol/hub-callers.ts';
import {
  defaultHubLimits,
  defaultHubTimings,
  type HubTimings,
} from '../../../../../../src/channels/hub/protocol/hub-limits.ts';
import { recordingLogger } from '../../../../../support/quiet.ts';

/** Milliseconds between two looks at the clock. */
function tickOf(timings: Partial<HubTimings>): unknown {
  const interval = vi.spyOn(globalThis, 'setInterval');
  onTestFinished(() => {
    interval.mockRestore();
  });
  const connections = new HubConnections({
    path: '/hub',
    tokenKeys: () => [Buffer.alloc(32)],
    application: { methods: {}, connected: () => undefined, disconnected: () => undefined },
    log: recordingLogger(),
    limits: defaultHubLimits,
    timings: { ...defaultHubTimings, ...timings },
    callers: new HubCallers({}),
    callerPlaces: placesPerKey(1, () => ''),
    schedule: inMicrotask,
    onceOver: () => undefined,
    settingNames: { maxMessageBytes: 'a', maxBufferedBytes: 'b' },
  });
  connections.stop();
  return interval.mock.lastCall?.[1];
}

describe('HubConnections', () => {
  it.each([
    ['once a second', {}, 1000],
    ['no more often without stateful reconnect', { reconnectMs: 0 }, 1000],
    ['four times within the shortest time', { keepAliveMs: 400 }, 100],
    ['a hundred times a second at most', { keepAliveMs: 4 }, 10],
  ])('looks at the clock %s', (_title, timings, expected) => {
    expect(tickOf(timings)).toBe(expected);
  });
});
