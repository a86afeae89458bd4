import { atMost } from '../base/at-most.ts';
import { makerOf } from '../base/hinted-id.ts';
import { confirmationState, type ConfirmationState } from '../confirmations/confirmation-state.ts';
import { nothingToAnswer } from '../confirmations/answer-faults.ts';
import { HelperError } from '../errors/helper-error.ts';
import type { ConfirmationRequest } from '../events/turn-event.ts';
import { requireKeyOwner } from '../identity/owner-check.ts';
import type { Principal } from '../identity/principal.ts';
import { clusterUnavailable } from '../ports/over-bus.ts';
import type { AskedCall } from './asked-call.ts';
import type { AskedCalls } from './asked-calls.ts';
import type { DirectServices } from './run-direct.ts';

/** Milliseconds that a page waits for an answer that is being stored. */
const storingMs = 5_000;

/** Who opens the page of a question. */
export interface Visitor {
  readonly principal: Principal;
  /** A hash of the visitor's token, made as `DirectCaller.credential` is. */
  readonly credential: string;
}

/** The answer of a visitor, as the form of the page sends it. */
export interface VisitorAnswer {
  readonly actionId: string;
  readonly approved: boolean;
  /** What the page was given for its form. */
  readonly proof: string;
  /** As in `ConfirmationAnswer`. */
  readonly presenter: string;
  readonly requestId: string;
}

/** A question as its page shows it. `request` and `proof` are there while it is open. */
export type ShownQuestion = ConfirmationState & {
  /** The title of the action, or its name where the question is over. */
  readonly title: string;
  /** `DirectCaller.program`, while the question is open. */
  readonly program?: string | undefined;
  readonly request?: ConfirmationRequest;
  readonly proof?: string;
  /** Whether the approved action runs now. */
  readonly isRunning: boolean;
};

/**
 * The questions of programs as the page sees them on which they are answered: of calls without a turn (contract/mcp-server.md#the-page), and
 * of the turns of other agents (contract/a2a-server.md#confirmations).
 */
export class AskedQuestions {
  readonly #calls: AskedCalls;
  readonly #services: () => DirectServices;

  constructor(calls: AskedCalls, services: () => DirectServices) {
    this.#calls = calls;
    this.#services = services;
  }

  /** Whether this process has the question. */
  isHere(actionId: string): boolean {
    return (
      this.#calls.find(actionId) !== undefined ||
      this.#services().calls.openConfirmations.pageOf(actionId) !== undefined
    );
  }

  /**
   * A question of the visitor.
   * @throws HelperError `unauthenticated` for whoever is not signed in; `nothing_to_answer` for an unknown id; `not_owner` when another user
   * is asked; `forbidden` for the token of the program that asked; `storage_unavailable`; `cluster_unavailable`.
   */
  async read(actionId: string, visitor: Visitor): Promise<ShownQuestion> {
    requireSignedIn(visitor);
    const asked = this.#calls.find(actionId);
    if (asked !== undefined) requireUser(asked, visitor);
    // An answer is being stored: the journal does not know it yet.
    if (asked?.request !== undefined && !this.#calls.open.isOpen(actionId)) await atMost(storingMs, asked.decision);
    if (asked?.request !== undefined && this.#calls.open.isOpen(actionId)) {
      const { title, program, request, proof } = asked;
      return { actionId, outcome: 'open', title, program, request, proof, isRunning: false };
    }
    const { journal, openConfirmations } = this.#services().calls;
    const page = openConfirmations.pageOf(actionId);
    if (page !== undefined) {
      requireUser(page, visitor);
      const { request, proof } = page;
      return { actionId, outcome: 'open', title: request.title, request, proof, isRunning: false };
    }
    const state = await confirmationState(journal, actionId, visitor.principal);
    const row = state === undefined ? undefined : await journal.find(actionId);
    // An open question of a turn that has no page is answered where it was told.
    if (state === undefined || row === undefined || (state.outcome === 'open' && row.path !== 'mcp'))
      throw nothingToAnswer();
    if (state.outcome === 'open') this.#requireHere(actionId);
    return { ...state, title: asked?.title ?? row.action, isRunning: row.state === 'executing' };
  }

  /**
   * Takes the visitor's answer. Resolves once it is stored.
   * @throws HelperError as `read`, and as `OpenConfirmations.answer`; `forbidden` when the answer does not come from the page.
   */
  async answer({ proof, ...answer }: VisitorAnswer, visitor: Visitor): Promise<void> {
    requireSignedIn(visitor);
    const asked = this.#calls.find(answer.actionId);
    const { openConfirmations } = this.#services().calls;
    const page = asked === undefined ? openConfirmations.pageOf(answer.actionId) : undefined;
    if (page !== undefined) {
      requireUser(page, visitor);
      await openConfirmations.answer({ ...answer, proof }, visitor.principal);
      return;
    }
    if (asked === undefined) {
      const state = await confirmationState(this.#services().calls.journal, answer.actionId, visitor.principal);
      if (state?.outcome === 'open') this.#requireHere(answer.actionId);
      throw nothingToAnswer();
    }
    requireUser(asked, visitor);
    // Whoever can compare this text needs to be the user already, so the time of the comparison tells nobody anything.
    if (proof !== asked.proof) {
      throw new HelperError(
        'forbidden',
        'The answer does not come from the page of this question. Open the page again.',
      );
    }
    await this.#calls.open.answer(answer, visitor.principal);
  }

  /**
   * An open question of a replica that cannot be reached is not over: soon another one knows what becomes of it (contract/replicas.md#programs).
   * @throws HelperError `cluster_unavailable`.
   */
  #requireHere(actionId: string): void {
    const maker = makerOf(actionId);
    if (maker !== undefined && maker !== this.#services().calls.replica) throw clusterUnavailable();
  }
}

function requireSignedIn({ principal }: Visitor): void {
  if (principal.kind === 'anonymous') throw new HelperError('unauthenticated', 'Sign in to answer this question.');
}

function requireUser({ owner, credential }: Pick<AskedCall, 'owner' | 'credential'>, visitor: Visitor): void {
  requireKeyOwner(owner, visitor.principal);
  if (credential !== visitor.credential) return;
  // A program could otherwise answer its own question.
  throw new HelperError(
    'forbidden',
    'The program that asks cannot answer. Sign in to the application and open the page again.',
  );
}
