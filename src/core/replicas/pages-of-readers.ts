import type { ReplicaBus } from '../ports/replica-bus.ts';
import type { UiAction, UiActionRequest, UiActions } from '../request/ui-actions.ts';
import { readPageAnswer } from '../ui-actions/page-answer.ts';
import { UiActionFault, type UiActionFaultKind } from '../ui-actions/ui-action-fault.ts';
import { list, object, text, turnKinds } from './turn-messages.ts';

/** The pages of this replica's clients that read turns of other replicas (contract/ui-actions.md). */
export class PagesOfReaders {
  readonly #pages = new Map<string, UiActions>();

  /** From now on the page is asked for a turn, until the returned function is called. */
  add(turnId: string, page: UiActions | undefined): () => void {
    if (page === undefined) return () => undefined;
    this.#pages.set(turnId, page);
    return () => {
      if (this.#pages.get(turnId) === page) this.#pages.delete(turnId);
    };
  }

  /** Answers the other replicas. */
  offerOn(bus: ReplicaBus): void {
    const pages = this.#pages;
    bus.offer(turnKinds.page, async function* answered(body, { signal }) {
      const request = object(body);
      const turnId = text(request['turnId']);
      const page = pages.get(turnId);
      yield page === undefined ? { fault: 'absent' } : await answerOf(page, request, signal);
    });
  }
}

async function answerOf(
  page: UiActions,
  request: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<unknown> {
  const asked: UiActionRequest = {
    turnId: text(request['turnId']),
    callId: text(request['callId']),
    name: text(request['name']),
    arguments: object(request['arguments']),
  };
  try {
    return { value: readPageAnswer(await page.run(asked, signal)) };
  } catch (error) {
    if (!(error instanceof UiActionFault)) throw error;
    return { fault: error.kind, message: error.message };
  }
}

/** The page of a client of another replica. */
export function pageElsewhere(bus: ReplicaBus, replica: string, offered: unknown): UiActions | undefined {
  if (offered === undefined) return undefined;
  return {
    offered: list(offered) as readonly UiAction[], // read by the replica of the page
    run: async (request, signal) => {
      try {
        const answers = await bus.follow({ replica, kind: turnKinds.page, body: request }, signal);
        for await (const answer of answers) return valueIn(answer);
      } catch (error) {
        if (error instanceof UiActionFault) throw error;
        signal.throwIfAborted();
      }
      // The page may have been asked, and may have done it, when its replica or the bus goes at any moment of the call.
      throw new UiActionFault('disconnected');
    },
  };
}

/** @throws UiActionFault the fault that the page has met. */
function valueIn(answer: unknown): unknown {
  const { fault, message, value } = object(answer);
  if (fault === undefined) return value;
  // By a replica of this server.
  throw new UiActionFault(text(fault) as UiActionFaultKind, message === undefined ? undefined : text(message));
}
