import { describe, expect, it } from 'vitest';
import { Bridge } from '../../../../src/widget/embed/bridge.ts';
import { HostHaptics } from '../../../../src/widget/embed/host-haptics.ts';
import type { HelperWidgetApi, WidgetEvents, WidgetState } from '../../../../src/widget/page-types.ts';

const state: WidgetState = {
  isOpen: true,
  isHidden: false,
  isRunning: true,
  openConfirmations: 0,
  unread: 0,
  connection: 'connected',
};

type Told = readonly [keyof WidgetEvents, object];

/** The kinds of vibration that the host is told after these events of an open chat. */
function felt(...events: readonly Told[]): Promise<unknown[]> {
  return feltIn({ hidden: false }, events);
}

async function feltIn(page: { readonly hidden: boolean }, events: readonly Told[]): Promise<unknown[]> {
  const kinds: unknown[] = [];
  const listeners = new Map<string, (detail: never) => void>();
  const api = {
    on: (name: string, listener: (detail: never) => void) => {
      listeners.set(name, listener);
      return () => undefined;
    },
    getState: () => Promise.resolve(state),
  } as unknown as HelperWidgetApi; // only these members are used
  const bridge = new Bridge({ post: ({ payload }) => kinds.push(payload['kind']), listen: () => undefined });
  new HostHaptics(api, bridge, page).follow();
  for (const [name, detail] of events) listeners.get(name)?.(detail as never);
  // The state of the chat is asked for first.
  await new Promise((resolve) => setImmediate(resolve));
  return kinds;
}

const asked = (actionId: string, action = 'cancel') => ['confirmation', { actionId, action, outcome: null }] as const;
const answered = (actionId: string, outcome: string) => ['confirmation', { actionId, outcome }] as const;
const ended = (status: string, action = 'cancel') => ['action', { action, status, callId: 'c1' }] as const;

describe('what the host may let its user feel (contract/embed.md)', () => {
  it('a question that comes again after a reconnect is told once', async () => {
    expect(await felt(asked('a1'), asked('a1'), asked('a2'))).toEqual(['question', 'question']);
  });

  it.each([
    ['succeeded', ['success']],
    ['failed', ['failure']],
    ['refused', ['failure']],
    ['unknown', ['failure']],
    ['cancelled', []],
  ])('an approved action that ends as %s', async (status, kinds) => {
    expect(await felt(asked('a1'), answered('a1', 'approved'), ended(status))).toEqual(['question', ...kinds]);
  });

  it.each(['declined', 'expired', 'cancelled'])(
    'a question that ends as %s lets nothing be felt after it',
    async (outcome) => {
      expect(await felt(asked('a1'), answered('a1', outcome), ended('declined'), ended('failed'))).toEqual([
        'question',
      ]);
    },
  );

  it('an approval is for one call, and for its answer', async () => {
    const approved = [asked('a1'), answered('a1', 'approved')];
    expect(await felt(...approved, ended('succeeded'), ended('failed'))).toEqual(['question', 'success']);
    expect(await felt(...approved, ended('failed', 'look'))).toEqual(['question']);
    expect(await felt(...approved, ['reply', { status: 'stopped' }], ended('failed'))).toEqual(['question']);
  });

  it.each([
    ['completed', ['success']],
    ['failed', ['failure']],
    ['refused', ['failure']],
    ['stopped', []],
  ])('an answer that ends as %s', async (status, kinds) => {
    expect(await felt(['reply', { status }])).toEqual(kinds);
  });

  it('nothing in a page that nobody sees', async () => {
    expect(await feltIn({ hidden: true }, [asked('a1'), ['reply', { status: 'failed' }]])).toEqual([]);
  });
});
