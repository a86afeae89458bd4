import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ConnectionTokens } from '../../../../../../src/channels/hub/protocol/connection-token.ts';
import { negotiate } from '../../../../../../src/channels/hub/protocol/transports/negotiate.ts';

const key = randomBytes(32);
const tokens = new ConnectionTokens({ keys: () => [key], lifetimeMs: 30_000, now: Date.now });
const availableTransports = [
  { transport: 'WebSockets', transferFormats: ['Text', 'Binary'] },
  { transport: 'ServerSentEvents', transferFormats: ['Text'] },
  { transport: 'LongPolling', transferFormats: ['Text', 'Binary'] },
];
const plain = { negotiateVersion: '1', stateful: false, caller: { key: '' } } as const;
const id: unknown = expect.stringMatching(/^[A-Za-z0-9._-]+$/);

describe('negotiate (contract/hub.md#protocol)', () => {
  it.each(['1', '2', '99'])('answers version %s as version 1, with what exists and no more', (version) => {
    expect(negotiate({ ...plain, negotiateVersion: version }, tokens)).toEqual({
      negotiateVersion: 1,
      connectionId: id,
      connectionToken: id,
      availableTransports,
    });
  });

  it.each([undefined, '0'])('answers version %s without a connection token', (version) => {
    expect(negotiate({ ...plain, negotiateVersion: version }, tokens)).toEqual({
      negotiateVersion: 0,
      connectionId: id,
      availableTransports,
    });
  });

  it('offers stateful reconnect to a client that asked, and with version 1 only', () => {
    expect(negotiate({ ...plain, stateful: true }, tokens)).toMatchObject({ useStatefulReconnect: true });
    const older = negotiate({ ...plain, stateful: true, negotiateVersion: '0' }, tokens);
    expect(older).not.toHaveProperty('useStatefulReconnect');
  });

  it.each(['', 'one', '1.5', '1,2'])('answers version %j with an error', (version) => {
    expect(negotiate({ ...plain, negotiateVersion: version }, tokens)).toEqual({
      error: 'The client requested a non-integer protocol version.',
    });
  });

  it('answers a negative version with an error', () => {
    expect(negotiate({ ...plain, negotiateVersion: '-1' }, tokens)).toHaveProperty('error');
  });

  it('says how long the credential lives when that is known', () => {
    const caller = { key: 'sub:ada', expiresAt: Date.now() + 90_500 };
    expect(negotiate({ ...plain, caller }, tokens)).toMatchObject({ tokenLifetimeSeconds: 90 });
    expect(negotiate({ ...plain, caller: { key: 'sub:ada', expiresAt: 0 } }, tokens)).toMatchObject({
      tokenLifetimeSeconds: 0,
    });
  });
});
