import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  ConnectionTokens,
  newConnectionId,
  type TokenKeys,
} from '../../../../../src/channels/hub/protocol/connection-token.ts';

function tokensAt(clock: { now: number }, key = randomBytes(32)): ConnectionTokens {
  return new ConnectionTokens({ keys: () => [key], lifetimeMs: 30_000, now: () => clock.now });
}

describe('ConnectionTokens (contract/hub.md#connections, connectionToken)', () => {
  it('names the connection that negotiate announced', () => {
    const tokens = tokensAt({ now: Date.now() });
    const { connectionId, connectionToken } = tokens.issue(1, '');
    expect(tokens.open(connectionToken, '')).toEqual({ connectionId, stateful: false });
    expect(connectionToken).not.toBe(connectionId);
  });

  it('is also the public id with negotiate version 0, which knows only one', () => {
    const tokens = tokensAt({ now: Date.now() });
    const { connectionId, connectionToken } = tokens.issue(0, '');
    expect(connectionId).toBe(connectionToken);
    expect(tokens.open(connectionToken, '')).toEqual({ connectionId, stateful: false });
  });

  it('says that stateful reconnect was negotiated', () => {
    const tokens = tokensAt({ now: Date.now() });
    const { connectionId, connectionToken } = tokens.issue('stateful', '');
    expect(tokens.open(connectionToken, '')).toEqual({ connectionId, stateful: true });
    const [id = '', negotiated = '', mac = ''] = tokens.issue(1, '').connectionToken.split('.');
    expect(tokens.open(`${id}.s${negotiated.slice(1)}.${mac}`, '')).toBe('unknown');
  });

  // proves wire-1-02
  it('makes ids and tokens of the alphabet and length of contract/identity.md#tokens', () => {
    const { connectionId, connectionToken } = tokensAt({ now: Date.now() }).issue(1, '');
    for (const id of [connectionId, connectionToken, newConnectionId()]) expect(id).toMatch(/^[A-Za-z0-9._-]{22,64}$/);
  });

  // proves wire-3-28
  it('is of no use after its time', () => {
    const clock = { now: Date.now() };
    const tokens = tokensAt(clock);
    const { connectionToken } = tokens.issue(1, '');
    clock.now += 30_000;
    expect(tokens.open(connectionToken, '')).toBeTypeOf('object');
    clock.now += 1;
    expect(tokens.open(connectionToken, '')).toBe('expired');
  });

  // proves wire-3-42
  it('still names its connection when its time is over, for the requests that follow', () => {
    const clock = { now: Date.now() };
    const tokens = tokensAt(clock);
    const { connectionId, connectionToken } = tokens.issue(1, '');
    clock.now += 3_600_000;
    expect(tokens.name(connectionToken, '')).toBe(connectionId);
    expect(tokens.name(`${connectionToken}x`, '')).toBeUndefined();
  });

  // proves wire-3-27
  it('refuses every other spelling, other keys, and ids that were never signed', () => {
    const clock = { now: Date.now() };
    const tokens = tokensAt(clock);
    const { connectionToken } = tokens.issue(0, '');
    const [id = '', expiry = '', mac = ''] = connectionToken.split('.');
    const forged = [
      '',
      id,
      `${id}.${expiry}`,
      `${id}.${expiry}.${mac}=`,
      `${id}.${expiry}.${mac}.`,
      `${id}.1${expiry.slice(1)}.${mac}`,
      `${newConnectionId()}.${expiry}.${mac}`,
      `${id}.${expiry}z.${mac}`,
      tokensAt(clock).issue(1, '').connectionToken,
    ];
    for (const token of forged) expect(tokens.open(token, '')).toBe('unknown');
  });

  // proves wire-3-47
  it('is of use to the caller it was issued to, and to no other (contract/hub.md#connections)', () => {
    const tokens = tokensAt({ now: Date.now() });
    const { connectionId, connectionToken } = tokens.issue(1, 'sub:ada');
    expect(tokens.open(connectionToken, 'sub:ada')).toMatchObject({ connectionId });
    for (const other of ['', 'sub:eve', 'sub:ada\n']) {
      expect(tokens.open(connectionToken, other)).toBe('unknown');
      expect(tokens.name(connectionToken, other)).toBeUndefined();
    }
  });
});

describe('ConnectionTokens of several replicas (contract/replicas.md#connections)', () => {
  const keys = [randomBytes(32), randomBytes(32)] as const;
  const replica = 'abcdefg2';
  const tokensOf = (used: TokenKeys, now = Date.now()): ConnectionTokens =>
    new ConnectionTokens({ keys: () => used, lifetimeMs: 30_000, now: () => now, skewMs: 30_000, replica });

  it.each([0, 1, 'stateful'] as const)(
    'begin with the replica that has made them, in 64 characters at most: %s',
    (asked) => {
      const { connectionId, connectionToken } = tokensOf(keys).issue(asked, 'sub:ada');
      for (const id of [connectionId, connectionToken, newConnectionId(replica)])
        expect(id).toMatch(/^abcdefg2\.[A-Za-z0-9._-]{22,55}$/);
      expect(tokensOf(keys).open(connectionToken, 'sub:ada')).toEqual({ connectionId, stateful: asked === 'stateful' });
      expect(tokensOf(keys).open(connectionToken, 'sub:bob')).toBe('unknown');
      expect(tokensOf(keys).open(connectionToken.replace(replica, 'abcdefg3'), 'sub:ada')).toBe('unknown');
    },
  );

  // proves wire-10-40
  it('are taken where the signing key is a later one, and nowhere else', () => {
    const [old, fresh] = keys;
    const { connectionId, connectionToken } = tokensOf([old]).issue(1, '');
    expect(tokensOf([fresh, old]).name(connectionToken, '')).toBe(connectionId);
    expect(tokensOf([fresh]).open(connectionToken, '')).toBe('unknown');
  });

  // proves wire-10-40
  it('are good where a clock is 30 s ahead', () => {
    const now = Date.now();
    const { connectionToken } = tokensOf(keys, now).issue(1, '');
    expect(tokensOf(keys, now + 59_000).open(connectionToken, '')).toBeTypeOf('object');
    expect(tokensOf(keys, now + 61_000).open(connectionToken, '')).toBe('expired');
  });
});
