import type { ResumeResult } from '../../wire/hub-methods.ts';
import type { HubLink } from '../transport/hub-port.ts';
import type { ConversationKeeper } from './conversation-keeper.ts';
import type { ConversationState } from './conversation-state.ts';
import { endTurn } from './end-turn.ts';

/** A conversation whose connection is back. */
export interface ReturnedLine {
  readonly hub: HubLink;
  readonly keeper: ConversationKeeper;
  readonly state: () => ConversationState;
  readonly change: (state: ConversationState) => void;
  readonly connectionId: () => string | null;
  /** Stops the running turn. */
  readonly cancel: () => Promise<void>;
}

/**
 * Continues what was under way when the connection broke (contract/hub.md#when-the-line-breaks). If the server has lost the conversation,
 * the widget gives it back.
 */
export async function goOn({ hub, keeper, state, change, connectionId, cancel }: ReturnedLine): Promise<void> {
  const { turn } = state();
  if (turn?.isSent !== true) {
    // No event is missing. The server only has to learn which conversation continues here.
    const { lastTurn } = keeper;
    const known = lastTurn === null ? undefined : await askResume(hub, lastTurn.turnId, lastTurn.lastSeq);
    if (known === null) await keeper.revive(connectionId());
    return;
  }
  // A message that was on its way when the connection broke may or may not have arrived. The user decides what to do.
  if (turn.turnId === null) {
    change(endTurn(state(), 'interrupted'));
    return;
  }
  const resumed = await askResume(hub, turn.turnId, turn.lastSeq);
  const now = state().turn;
  if (resumed === undefined || now?.turnId !== turn.turnId) return;
  if (resumed !== null) {
    if (now.isStopping) await cancel();
    return;
  }
  change(endTurn(state(), 'interrupted'));
  await keeper.revive(connectionId());
}

/**
 * Calls `Resume` (contract/hub.md#when-the-line-breaks). Null: the server has no such turn. Undefined: the connection broke again, and
 * the next connection asks.
 */
export async function askResume(
  hub: HubLink,
  turnId: string,
  afterSeq: number,
): Promise<ResumeResult | null | undefined> {
  const asked = hub.invoke('Resume', { turnId, afterSeq }) as Promise<ResumeResult | null>; // the hub's answer to `Resume`
  return asked.catch(() => (hub.isConnected ? null : undefined));
}
