import { describe, expect, it } from 'vitest';
import { Threads } from '../../../../src/channels/ag-ui/threads.ts';
import type { Assistant } from '../../../../src/core/assistant.ts';
import type { Principal } from '../../../../src/core/identity/principal.ts';
import type { Session } from '../../../../src/core/sessions/session.ts';

const userOf = (name: string): Principal => {
  return { kind: 'signed-in', userKey: `sub:${name}`, id: name, name, roles: new Set(), claims: {} };
};

function setUp() {
  const closed: string[] = [];
  const busy = new Set<string>();
  let now = 0;
  const openSession = ({ principal }: Parameters<Assistant['openSession']>[0]): Session => {
    const id = crypto.randomUUID();
    const session = {
      ...{ id, principal, renew: () => undefined, close: () => closed.push(id) },
      get activeTurn() {
        return busy.has(id) ? {} : undefined;
      },
    };
    return session as unknown as Session; // these members are all that threads use
  };
  const threads = new Threads({ openSession }, { now: () => now });
  const pass = (minutes: number): void => {
    now += minutes * 60_000;
  };
  const opening = (name: string) => ({ principal: userOf(name), authorization: undefined, address: '' });
  return { threads, closed, busy, pass, opening };
}

describe('a thread that is held (contract/ag-ui.md#threads)', () => {
  // proves wire-6-68
  it('is forgotten after 30 minutes in which nobody went on with it', () => {
    const { threads, closed, pass, opening } = setUp();
    const { session } = threads.begin('one', opening('ann'));
    pass(20);
    expect(threads.find('one', opening('ann'))?.session).toBe(session);
    pass(29);
    expect(threads.find('one', opening('ann'))?.session).toBe(session);
    pass(31);
    expect(threads.find('one', opening('ann'))).toBeUndefined();
    expect(closed).toEqual([session.id]);
  });

  it('is not forgotten while its user is asked something', () => {
    const { threads, busy, pass, opening } = setUp();
    const { session } = threads.begin('one', opening('ann'));
    busy.add(session.id);
    pass(120);
    threads.find('other', opening('bob'));
    expect(threads.find('one', opening('ann'))?.session).toBe(session);
  });

  // proves wire-6-68
  it('is one of 20 of its user, and the least used goes first', () => {
    const { threads, closed, opening } = setUp();
    const bob = threads.begin('0', opening('bob'));
    const begun = Array.from({ length: 20 }, (_, index) => threads.begin(String(index), opening('ann')));
    threads.find('0', opening('ann'));
    threads.begin('20', opening('ann'));
    expect(closed).toEqual([begun[1]?.session.id]);
    expect(threads.find('0', opening('bob'))).toBe(bob);
  });

  it('goes last where its user is asked something', () => {
    const { threads, closed, busy, opening } = setUp();
    const begun = Array.from({ length: 20 }, (_, index) => threads.begin(String(index), opening('ann')));
    busy.add(begun[0]?.session.id ?? '');
    threads.begin('20', opening('ann'));
    expect(closed).toEqual([begun[1]?.session.id]);
  });

  // proves wire-6-68
  it('is one of 5,000 in all', () => {
    const { threads, closed, opening } = setUp();
    const first = threads.begin('0', opening('first'));
    for (let index = 0; index < 5_000; index += 1) threads.begin('0', opening(String(index)));
    expect(closed).toEqual([first.session.id]);
  });

  it('is none without a user', () => {
    const { threads } = setUp();
    const nobody = {
      principal: { kind: 'anonymous', userKey: 'anon:', roles: new Set<string>() } as const,
      authorization: undefined,
      address: '',
    };
    threads.begin('one', nobody);
    expect(threads.find('one', nobody)).toBeUndefined();
  });
});
