import { anonymousKey } from '../../identity/user-key.ts';
import { coordinatorName } from '../../agents/coordinator-name.ts';
import { saidAndDone } from '../../agents/said-and-done.ts';
import { shownOfAgents } from '../../agents/shown-of-agents.ts';
import { receiptsOf } from '../../calls/receipts.ts';
import type { KeptConversations } from '../../conversations/kept-conversations.ts';
import type { Session } from '../session.ts';
import type { RequestErrorCode } from '../../errors/error-codes.ts';
import { HelperError } from '../../errors/helper-error.ts';
import type { RecordedEvent } from '../../events/turn-event.ts';
import { readerOf } from '../../identity/may-read.ts';
import { type Principal, tenantOf } from '../../identity/principal.ts';
import type { ChatMessage } from '../../ports/chat-model.ts';
import { withoutExtras } from '../../history/message-extras.ts';
import type { ConfirmationJournal } from '../../ports/confirmation-journal.ts';
import type { Metrics, SnapshotRefusal } from '../../ports/metrics.ts';
import type { SnapshotSealer } from '../../ports/snapshot-sealer.ts';
import { StepRecord } from '../../record/step-record.ts';
import type { KeptMessage } from '../../request/kept-message.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import type { TurnSnapshot } from '../../turn/live/turn-snapshot.ts';
import { askable, openCalls } from './askable.ts';
import { type CardRules, type ShownMessage, shownMessages } from './shown-messages.ts';
import {
  type HistoryKeeper,
  readSnapshotContent,
  type SavedConversation,
  snapshotContent,
} from './snapshot-content.ts';

/** A conversation that was put back. */
export interface RestoredConversation {
  readonly conversationId: string;
  readonly messages: readonly ShownMessage[];
  /** The questions that were put again. */
  readonly openConfirmations: readonly RecordedEvent[];
}

/** What a snapshot needs of a session. */
export type SavedSession = Pick<
  Session,
  'principal' | 'conversationId' | 'transcript' | 'waiting' | 'replaceConversation'
>;

/** What snapshots are made with. */
export interface SessionSnapshotsOptions {
  readonly sealer: SnapshotSealer;
  /** Tells which questions were answered after the snapshot was saved, in this conversation or in another. */
  readonly journal: ConfirmationJournal;
  /** The tools there are now. */
  readonly toolbox: () => Toolbox;
  /** False with `hitlMode: Blocking`. There a question ends with its turn, so no question is put again. */
  readonly asksAgain: boolean;
  /** Default: `application`, so this server keeps the history. */
  readonly historyKeeper?: HistoryKeeper;
  readonly cards: CardRules;
  /** Where conversations are kept for their users. Left out, conversations are not kept. */
  readonly conversations?: KeptConversations | undefined;
  /**
   * Tells whether a kept conversation was deleted, even when conversations are not kept any more. Left out, no conversation counts as
   * deleted.
   */
  readonly isDeleted?: ((conversationId: string) => Promise<boolean>) | undefined;
  /**
   * When the data of a user was erased, in epoch milliseconds. Undefined when it was not erased. Left out, no user's data counts as erased.
   */
  readonly erasedAt?: ((userKey: string) => Promise<number | undefined>) | undefined;
  readonly metrics: Pick<Metrics, 'of'>;
}

/** Saves conversations to opaque text and puts them back (contract/sessions.md#snapshots). */
export class SessionSnapshots {
  readonly #options: SessionSnapshotsOptions;

  constructor(options: SessionSnapshotsOptions) {
    this.#options = options;
  }

  /**
   * Saves the state after the last ended turn. The open Native confirmations of a turn that waits, or was stopped while it waited, are
   * saved too.
   * @throws HelperError `payload_too_large`.
   */
  save(session: SavedSession): Promise<string> {
    return this.#counted('saved', session, this.#save(session));
  }

  async #save(session: SavedSession): Promise<string> {
    const { journal, asksAgain } = this.#options;
    const { transcript, principal } = session;
    const waiting = asksAgain ? session.waiting : undefined;
    // The turn is saved as it waits. At the restore the journal tells what became of questions that were answered
    // meanwhile.
    const isOpen = waiting !== undefined && (await openCalls(waiting, journal)).length > 0;
    const id = this.#isKept(principal) ? session.conversationId : undefined;
    return this.#seal(isOpen ? waiting : transcript, ownerKey(principal), id);
  }

  #isKept(principal: Principal): boolean {
    return this.#options.conversations !== undefined && principal.kind === 'signed-in';
  }

  /** Seals a conversation. When it is too long, it is saved without what is beside its texts: cards, and thoughts of models. */
  async #seal(saved: readonly KeptMessage[] | TurnSnapshot, owner: string, id?: string): Promise<string> {
    const { sealer, historyKeeper = 'application' } = this.#options;
    try {
      return await sealer.seal(snapshotContent(saved, { keeper: historyKeeper, conversationId: id }), owner);
    } catch (error) {
      if (!(error instanceof HelperError && error.code === 'payload_too_large')) throw error;
      const shorter = 'history' in saved ? { ...saved, history: withoutOthers(saved.history) } : withoutOthers(saved);
      return sealer.seal(snapshotContent(shorter, { keeper: historyKeeper, conversationId: id }), owner);
    }
  }

  /**
   * Replaces the session's conversation, and asks the open questions again. When the restore fails, the live conversation stays as it is.
   * Documents of replies are shown as far as `caller` may read them now. Default for `caller`: the session's own user.
   * @throws HelperError `snapshot_refused`, then `turn_in_progress` or `server_draining`.
   */
  restore(session: SavedSession, snapshot: string, caller = session.principal): Promise<RestoredConversation> {
    return this.#counted('restored', session, this.#restore(session, snapshot, caller));
  }

  async #restore(session: SavedSession, snapshot: string, caller: Principal): Promise<RestoredConversation> {
    const { sealer, historyKeeper = 'application' } = this.#options;
    const { principal } = session;
    const owner = ownerKey(principal);
    const erasedAt = await this.#options.erasedAt?.(owner);
    const saved = readSnapshotContent(await sealer.open(snapshot, owner, erasedAt), historyKeeper);
    const going = await this.#going(saved, principal);
    const { messages, waiting } = await this.#today(going, principal);
    const { conversationId, turn } = session.replaceConversation(messages, {
      copyOf: waiting,
      id: going.conversationId,
    });
    await turn?.callsSettled;
    const rules = { ...this.#options.cards, reader: readerOf(caller) };
    const shown = waiting === undefined ? messages : [...messages, ...saidIn(waiting)];
    return { conversationId, messages: shownMessages(shown, rules), openConfirmations: turn?.openConfirmations ?? [] };
  }

  /** A conversation that the store keeps goes on as it stands in the store, not as the snapshot has it. */
  async #going(saved: SavedConversation, principal: Principal): Promise<SavedConversation> {
    const { conversations, isDeleted } = this.#options;
    const { conversationId: id, messages, waiting } = saved;
    if (id !== undefined && (await isDeleted?.(id)) === true) {
      const reason = 'This snapshot cannot be restored. Its conversation was deleted.';
      throw new HelperError('snapshot_refused', reason, { snapshotFault: 'deleted' });
    }
    if (conversations === undefined || id === undefined || principal.kind === 'anonymous') {
      return { messages, ...(waiting && { waiting }) };
    }
    const stored = await conversations.open(principal.userKey, id);
    if (stored === undefined) return saved;
    const today = stored.messagesWithout(waiting?.turnId, waiting?.replaces);
    return { conversationId: id, messages: today, ...(waiting && { waiting }) };
  }

  async #counted<Result>(
    what: 'saved' | 'restored',
    { principal }: SavedSession,
    work: Promise<Result>,
  ): Promise<Result> {
    const tenant = tenantOf(principal);
    const { metrics } = this.#options;
    try {
      const result = await work;
      metrics.of(tenant).snapshotHandled({ what });
      return result;
    } catch (error) {
      metrics.of(tenant).snapshotHandled({ what: 'refused', reason: refusalOf(error) });
      throw error;
    }
  }

  /** Returns what was saved. A turn that has no question left to ask becomes part of the conversation. */
  async #today({ messages, waiting }: SavedConversation, principal: Principal): Promise<SavedConversation> {
    if (waiting === undefined) return { messages };
    const { journal, toolbox, asksAgain } = this.#options;
    const left = await askable(waiting, { journal, principal, toolbox: toolbox() });
    if (asksAgain && left.isAsking) return { messages, waiting };
    return { messages: [...messages, ...withReceipts(saidIn(waiting, left.outcomes), waiting, left.outcomes)] };
  }
}

function withoutOthers(messages: readonly KeptMessage[]): readonly KeptMessage[] {
  return messages.map(({ message, at, before, turn }) => ({
    message: withoutExtras(message),
    at,
    ...(before === undefined ? {} : { before }),
    ...(turn === undefined ? {} : { turn }),
  }));
}

/** What a turn said and did, with the outcomes of its open calls. A call without an outcome counts as not run. */
function saidIn(
  { steps, askedAt }: TurnSnapshot,
  outcomes: ReadonlyMap<string, unknown> = new Map(),
): readonly KeptMessage[] {
  const record = new StepRecord([...steps, ...outcomes]);
  const asked = record.get('prompt/message') as ChatMessage | undefined; // recorded by `runTurn`
  const said = [...(asked === undefined ? [] : [asked]), ...saidAndDone(record, coordinatorName)];
  const ofAgents = shownOfAgents(record, new Map());
  return said.map((message) => {
    const shown = message.role === 'tool' ? ofAgents.get(message.callId) : undefined;
    return { message, at: askedAt, ...(shown === undefined ? {} : { shown }) };
  });
}

/** Adds the receipts of a turn's calls to the last of its messages. The turn does not go on, so nothing else would tell these receipts. */
function withReceipts(
  said: readonly KeptMessage[],
  { steps }: TurnSnapshot,
  outcomes: ReadonlyMap<string, unknown>,
): readonly KeptMessage[] {
  const receipts = receiptsOf(new StepRecord([...steps, ...outcomes]));
  const last = said.at(-1);
  if (receipts.length === 0 || last === undefined) return said;
  return [...said.slice(0, -1), { ...last, shown: [{ type: 'turn-completed', status: 'completed', receipts }] }];
}

const refusalOfCode: Readonly<Partial<Record<RequestErrorCode, SnapshotRefusal>>> = {
  turn_in_progress: 'busy',
  server_draining: 'draining',
  unknown_connection: 'gone',
};

function refusalOf(error: unknown): SnapshotRefusal {
  if (!(error instanceof HelperError)) return 'storage';
  if (error.snapshotFault !== undefined) return error.snapshotFault;
  return refusalOfCode[error.code] ?? 'storage';
}

/** Without sign-in every visitor is the same anonymous user (contract/sessions.md#restoring). */
function ownerKey(principal: Principal): string {
  return principal.kind === 'anonymous' ? anonymousKey : principal.userKey;
}
