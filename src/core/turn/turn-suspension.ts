import type { Principal } from '../identity/principal.ts';
import type { ChatMessage, ModelToolCall } from '../ports/chat-model.ts';
import type { SuspendedTurnStore } from '../ports/suspended-turn-store.ts';
import type { KeptMessage } from '../sessions/conversation.ts';
import type { CurrentPage } from '../tools/tool.ts';
import type { ToolOutcome } from '../tools/tool-outcome.ts';
import type { UiAction } from '../ui-actions/ui-actions.ts';
import type { SealedLogContent } from './sealed-log.ts';
import type { ChannelName, ConfirmationRequest } from './turn-event.ts';

/** A call of the round that waits, under our own id. */
export type RoundCall = ModelToolCall & { readonly callId: string };

/** A question that was put to the user, and what runs once it is approved. */
export interface OpenQuestion {
  readonly actionId: string;
  readonly callId: string;
  /** Epoch milliseconds. */
  readonly requestedAt: number;
  /** The event that asks, until it stands among the events of the turn: whatever ends the question comes after it. */
  readonly request?: ConfirmationRequest;
}

/** The principal as JSON: sets are lists there. */
export type KeptPrincipal = Omit<Principal, 'roles'> & { readonly roles: readonly string[] };

/** A principal as it is kept with its turn. */
export function keptPrincipal(principal: Principal): KeptPrincipal {
  return { ...principal, roles: [...principal.roles] };
}

/** The principal that `keptPrincipal` kept. */
export function restoredPrincipal(kept: KeptPrincipal): Principal {
  // Written by `keptPrincipal`: the same members but for the roles.
  return { ...kept, roles: new Set(kept.roles) } as Principal;
}

/** What a turn that waits is made of: enough to go on in another process (wire.md 5). */
export interface SuspendedTurn {
  readonly version: 1;
  readonly turnId: string;
  readonly conversationId: string;
  readonly channel: ChannelName;
  readonly principal: KeptPrincipal;
  readonly page?: CurrentPage;
  /** What the page offered: a question about it stands for the process that goes on. */
  readonly uiActions?: readonly UiAction[];
  /** The conversation before this turn. */
  readonly history: readonly KeptMessage[];
  /** The user's message as the model is sent it. */
  readonly sent: ChatMessage;
  /** What the turn will leave in the history so far, the user's message first, the round's calls last. */
  readonly said: readonly ChatMessage[];
  /** When the user's message was said, in epoch milliseconds. */
  readonly askedAt: number;
  /** The rounds in which a rule stood in for the user (service.md 2.6, `MaxAutoApprovalIterations`). */
  readonly autoApprovedRounds: readonly number[];
  readonly round: number;
  readonly calls: readonly RoundCall[];
  readonly outcomes: Readonly<Record<string, ToolOutcome>>;
  readonly open: readonly OpenQuestion[];
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number; readonly model: string };
  readonly events: SealedLogContent;
}

/** The part of a turn that waits which a snapshot holds (wire.md 5): what it takes to ask again in another conversation. */
export type WaitingTurn = Pick<
  SuspendedTurn,
  'history' | 'sent' | 'said' | 'askedAt' | 'autoApprovedRounds' | 'round' | 'calls' | 'outcomes' | 'open'
>;

/** Reads what was kept; undefined when it is of another version or broken. */
export function suspendedTurn(state: string): SuspendedTurn | undefined {
  try {
    // The store gives back what `TurnSuspension` wrote; the version says in which form.
    const kept = JSON.parse(state) as SuspendedTurn | { readonly version?: unknown } | null;
    return kept !== null && isOfThisVersion(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}

function isOfThisVersion(kept: SuspendedTurn | { readonly version?: unknown }): kept is SuspendedTurn {
  return (
    kept.version === 1 &&
    ['open', 'calls', 'principal', 'events', 'said', 'askedAt', 'autoApprovedRounds'].every((part) => part in kept)
  );
}

/** The parts of a `SuspendedTurn` that do not change while a round waits, and those that are read anew at each save. */
export interface SuspensionOptions {
  readonly turnId: string;
  readonly store: SuspendedTurnStore;
  readonly now: () => number;
  /** The rest of the state, at this moment. */
  readonly state: () => Omit<SuspendedTurn, 'version' | 'turnId' | 'round' | 'calls' | 'outcomes' | 'open'>;
}

/**
 * Keeps a turn in the store while it waits for answers (`hitlMode: Native`): saved before each question is put, again when
 * a call has ended, and deleted once nothing is open. A round that asks nothing is never written.
 */
export class TurnSuspension {
  readonly #options: SuspensionOptions;
  readonly #open = new Map<string, OpenQuestion>();
  #calls: readonly RoundCall[] = [];
  #round = 0;
  #outcomes: Record<string, ToolOutcome> = {};
  #isKept = false;
  /** Resolves once every question taken up from another process or a snapshot waits for its answer again, or needs none. */
  readonly restored: Promise<void>;
  readonly #resolveRestored: () => void;
  readonly #notYetPut = new Set<string>();
  /** Writes of one turn follow each other: an older state must never overwrite a newer one. */
  #writing: Promise<void> = Promise.resolve();

  constructor(options: SuspensionOptions) {
    this.#options = options;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.restored = promise;
    this.#resolveRestored = () => {
      resolve(undefined);
    };
  }

  /** Takes up what was kept by another process. */
  restore(kept: SuspendedTurn): void {
    this.beginRound(kept.round, kept.calls);
    this.#outcomes = { ...kept.outcomes };
    for (const question of kept.open) {
      this.#open.set(question.callId, question);
      this.#notYetPut.add(question.callId);
    }
    this.#isKept = true;
    this.#settle(undefined);
  }

  /** Takes up what a snapshot held: whatever has no outcome is asked again. */
  reopen({ round, calls, outcomes }: WaitingTurn): void {
    this.beginRound(round, calls);
    this.#outcomes = { ...outcomes };
    for (const { callId } of calls) if (this.outcomeOf(callId) === undefined) this.#notYetPut.add(callId);
    this.#settle(undefined);
  }

  /** For a snapshot; undefined when no question waits for its answer. */
  get waiting(): WaitingTurn | undefined {
    if (this.#open.size === 0) return undefined;
    const { history, sent, said, askedAt, autoApprovedRounds, round, calls, outcomes, open } = this.#kept();
    // The turn goes on adding to what it said and to the outcomes.
    const soFar = { said: [...said], outcomes: { ...outcomes } };
    return { history, sent, askedAt, autoApprovedRounds, round, calls, open, ...soFar };
  }

  /** The questions of calls without an outcome: open, or answered and their action running. */
  get questions(): readonly OpenQuestion[] {
    return [...this.#open.values()];
  }

  /** Calls without an outcome. */
  get unfinished(): number {
    return this.#calls.filter(({ callId }) => !Object.hasOwn(this.#outcomes, callId)).length;
  }

  /** Keeps the events up to here too, for the process that goes on. Never rejects. */
  leave(): Promise<void> {
    return this.#save().catch(() => undefined);
  }

  outcomeOf(callId: string): ToolOutcome | undefined {
    return Object.hasOwn(this.#outcomes, callId) ? this.#outcomes[callId] : undefined;
  }

  questionOf(callId: string): OpenQuestion | undefined {
    return this.#open.get(callId);
  }

  beginRound(round: number, calls: readonly RoundCall[]): void {
    this.#round = round;
    this.#calls = calls;
    this.#outcomes = {};
    this.#open.clear();
  }

  /** MUST be awaited before the question is put. Rejects when the store cannot take it: then nothing may be asked. */
  async asked(question: OpenQuestion): Promise<void> {
    this.#open.set(question.callId, question);
    try {
      await this.#save();
    } catch (error) {
      this.#open.delete(question.callId);
      throw error;
    }
  }

  /** The event that asks, when an earlier process ended before it was among the events; the caller emits it now. */
  takeRequest(callId: string): ConfirmationRequest | undefined {
    const question = this.#open.get(callId);
    if (question?.request === undefined) return undefined;
    const { request, ...put } = question;
    this.#open.set(callId, put);
    return request;
  }

  /** Keeps the events too, once what a reader was just told is among them. A fault costs a later reader that and no more. */
  put(callId: string): void {
    this.takeRequest(callId);
    if (this.#isKept) this.#save().catch(() => undefined);
    this.#settle(callId);
  }

  /** A question taken up from another process needs no answer any more: its call goes on by itself. */
  decided(callId: string): void {
    this.#settle(callId);
  }

  /** A call has its outcome. A fault of the store leaves an older state, which the journal corrects at the next start. */
  async finished(callId: string, outcome: ToolOutcome): Promise<void> {
    this.#outcomes[callId] = outcome;
    this.#open.delete(callId);
    this.#settle(callId);
    if (this.#isKept) await this.#save().catch(() => undefined);
  }

  /** Nothing waits any more. A fault leaves a row that the journal will show to be over. */
  async end(): Promise<void> {
    this.#open.clear();
    this.#notYetPut.clear();
    this.#settle(undefined);
    if (!this.#isKept) return;
    this.#isKept = false;
    await this.#write(() => this.#options.store.delete(this.#options.turnId)).catch(() => undefined);
  }

  #settle(callId: string | undefined): void {
    if (callId !== undefined) this.#notYetPut.delete(callId);
    if (this.#notYetPut.size === 0) this.#resolveRestored();
  }

  #save(): Promise<void> {
    this.#isKept = true;
    const { turnId, store, now } = this.#options;
    return this.#write(() => {
      if (!this.#isKept) return Promise.resolve();
      return store.save({ turnId, state: JSON.stringify(this.#kept()) }, now());
    });
  }

  #kept(): SuspendedTurn {
    return {
      ...this.#options.state(),
      version: 1,
      turnId: this.#options.turnId,
      round: this.#round,
      calls: this.#calls,
      outcomes: this.#outcomes,
      open: [...this.#open.values()],
    };
  }

  #write(step: () => Promise<void>): Promise<void> {
    const written = this.#writing.then(step);
    this.#writing = written.catch(() => undefined);
    return written;
  }
}
