import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ConnectionTokens } from '../../../../../src/channels/hub/protocol/connection-token.ts';
import { negotiate } from '../../../../../src/channels/hub/protocol/negotiate.ts';

const tokens = new ConnectionTokens({ key: randomBytes(32), lifetimeMs: 30_000, now: Date.now });
const availableTransports = [
  { transport: 'WebSockets', transferFormats: ['Text', 'Binary'] },
  { transport: 'ServerSentEvents', transferFormats: ['Text'] },
  { transport: 'LongPolling', transferFormats: ['Text', 'Binary'] },
];
const id: unknown = expect.stringMatching(/^[A-Za-z0-9._-]+$/);

describe('negotiate (wire.md 3)', () => {
  it.each(['1', '2', '99'])('answers version %s as version 1, with what exists and no more', (version) => {
    expect(negotiate(version, tokens, { key: '' })).toEqual({
      negotiateVersion: 1,
      connectionId: id,
      connectionToken: id,
      availableTransports,
    });
  });

  it.each([undefined, '0'])('answers version %s without a connection token', (version) => {
    expect(negotiate(version, tokens, { key: '' })).toEqual({
      negotiateVersion: 0,
      connectionId: id,
      availableTransports,
    });
  });

  it.each(['', 'one', '1.5', '1,2'])('answers version %j with an error', (version) => {
    expect(negotiate(version, tokens, { key: '' })).toEqual({
      error: 'The client requested a non-integer protocol version.',
    });
  });

  it('answers a negative version with an error', () => {
    expect(negotiate('-1', tokens, { key: '' })).toHaveProperty('error');
  });

  it('says how long the credential lives when that is known', () => {
    const caller = { key: 'sub:ada', expiresAt: Date.now() + 90_500 };
    expect(negotiate('1', tokens, caller)).toMatchObject({ tokenLifetimeSeconds: 90 });
    expect(negotiate('1', tokens, { key: 'sub:ada', expiresAt: 0 })).toMatchObject({ tokenLifetimeSeconds: 0 });
  });
});
