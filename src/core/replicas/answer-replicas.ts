import { joined } from '../base/joined.ts';
import type { ConfirmationAnswer } from '../confirmations/edited-arguments.ts';
import type { Logger } from '../ports/logger.ts';
import type { ReplicaBus } from '../ports/replica-bus.ts';
import type { StopReason, Turn } from '../turn/live/turn.ts';
import { eventsOfTurn, isTakenOver, takenOverMessage } from './events-of-turn.ts';
import type { OwnAssistant } from './own-assistant.ts';
import { pageElsewhere, type PagesOfReaders } from './pages-of-readers.ts';
import { ReadersFirst } from './readers-first.ts';
import {
  answered,
  object,
  readPrincipal,
  readReleased,
  sentEvents,
  sentTurn,
  text,
  turnKinds,
  whole,
} from './turn-messages.ts';
import type { TurnPlaces } from './turn-places.ts';

/** Milliseconds between two looks at whether a turn is still here and waited for. */
const lookEveryMs = 1_000;

/** Does for other replicas what needs the turns and questions of this one (contract/replicas.md#turns). */
export function answerReplicas(
  bus: ReplicaBus,
  assistant: OwnAssistant,
  { pages, places, log }: { readonly pages: PagesOfReaders; readonly places: TurnPlaces; readonly log: Logger },
): void {
  const turnOf = (body: unknown): Promise<Turn | undefined> => turnHere(assistant, body);
  bus.answer(turnKinds.find, (body) =>
    answered(async () => {
      const turn = await turnOf(body);
      return turn && sentTurn(turn);
    }),
  );
  bus.answer(
    turnKinds.stop,
    (body) => answered(async () => (await turnOf(body))?.stop(text(object(body)['reason']) as StopReason)), // by a replica of this server
  );
  bus.answer(turnKinds.stopOfUser, (body) =>
    answered(() => assistant.stopTurn(text(object(body)['turnId']), readPrincipal(object(body)['caller']))),
  );
  bus.answer(turnKinds.answer, (body) =>
    answered(() => {
      const { answer, caller } = object(body);
      // The door of another replica has read it from its client.
      return assistant.answerConfirmation(object(answer) as unknown as ConfirmationAnswer, readPrincipal(caller));
    }),
  );
  bus.answer(turnKinds.handOut, (body) =>
    answered(() => Promise.resolve(assistant.handOut(text(object(body)['turnId'])))),
  );
  bus.answer(turnKinds.transcript, (body) =>
    answered(() => Promise.resolve(assistant.transcriptOf(text(object(body)['turnId'])))),
  );
  offerTurns(bus, turnOf);
  pages.offerOn(bus);
  answerErasures(bus, assistant);
  const takeUp = (work: () => Promise<unknown>): void => {
    if (assistant.draining) return;
    work().catch((error: unknown) => {
      log.error({ error }, 'turns of another replica could not be taken up');
    });
  };
  const readersFirst = new ReadersFirst({
    these: (turnIds) => {
      takeUp(() => joined(turnIds.map((turnId) => assistant.lookForTurn(turnId, { isFree: true }))));
    },
    all: () => {
      takeUp(() => assistant.takeUpTurns());
    },
  });
  assistant.leaveOut((turnId) => readersFirst.isLeft(turnId));
  bus.onTold(turnKinds.released, (body) => {
    const released = readReleased(body);
    places.released(released.turnIds);
    readersFirst.released(released);
  });
}

function offerTurns(bus: ReplicaBus, turnOf: (body: unknown) => Promise<Turn | undefined>): void {
  bus.offer(turnKinds.events, async function* events(body, { replica, signal }) {
    const turn = await turnOf(body);
    if (turn === undefined) return;
    const { offered, isAgain } = object(body);
    const page = pageElsewhere(bus, replica, offered);
    for await (const batch of eventsOfTurn(turn, whole(object(body)['afterSeq']), {
      ...{ signal, page },
      isAgain: isAgain === true,
    }))
      yield sentEvents(batch);
    if (isTakenOver(turn) && !signal.aborted) yield takenOverMessage;
  });
  bus.offer(turnKinds.result, async function* result(body, { signal }) {
    const turn = await turnOf(body);
    const ended = turn && (await untilGone(turn, signal));
    if (ended !== undefined) yield ended;
  });
}

function answerErasures(bus: ReplicaBus, assistant: OwnAssistant): void {
  bus.answer(turnKinds.openConversations, (body) =>
    answered(async () => assistant.openConversations(text(object(body)['userKey']))),
  );
  // Turns may take seconds to end, so this is a stream of one message.
  bus.offer(turnKinds.forgetConversations, async function* forgotten(body) {
    const { userKey, conversationId } = object(body);
    yield await assistant.forgetConversations({
      userKey: text(userKey),
      conversationId: conversationId === undefined ? undefined : text(conversationId),
    });
  });
}

/** A turn of this replica. A turn that has left it is none. */
async function turnHere(assistant: OwnAssistant, body: unknown): Promise<Turn | undefined> {
  const turn = await assistant.followTurn(text(object(body)['turnId']));
  return turn === 'later' || turn?.suspended === true ? undefined : turn;
}

/** The result of a turn. Undefined when nobody waits for it any more, or when the turn leaves this replica. */
async function untilGone(turn: Turn, signal: AbortSignal): Promise<unknown> {
  const gone = Promise.withResolvers<undefined>();
  const looking = setInterval(() => {
    if (signal.aborted || turn.suspended) gone.resolve(undefined);
  }, lookEveryMs);
  const result = await Promise.race([turn.result, gone.promise]);
  clearInterval(looking);
  return turn.suspended ? undefined : result;
}
