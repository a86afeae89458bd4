import { coordinatorName } from '../agents/coordinator-name.ts';
import { hintedId } from '../base/hinted-id.ts';
import type { TurnError } from '../errors/turn-error.ts';
import { tenantOf } from '../identity/principal.ts';
import type { CountedCaller } from '../limits/counted-caller.ts';
import type { TurnTrace } from '../ports/turn-trace.ts';
import { EventLog } from '../record/event-log.ts';
import { type OpenedTurn, stepsOf } from '../record/opened-turn.ts';
import { StepRecord } from '../record/step-record.ts';
import { Tape } from '../record/tape.ts';
import { TurnEvents } from '../record/turn-events.ts';
import type { TurnRequest } from '../request/turn-request.ts';
import type { Conversation } from './conversation/conversation.ts';
import type { EndedTurn } from './live/ended-turn.ts';
import type { ForgetEnded } from './end/forget-ended.ts';
import { LiveTurn } from './live/live-turn.ts';
import { runTurn } from './run-turn.ts';
import type { RunningTurns } from './running-turns.ts';
import type { TurnOptions } from './live/turn-options.ts';
import type { TurnParts } from './live/turn-parts.ts';
import type { TurnServices } from './live/turn-services.ts';
import type { TurnSnapshot } from './live/turn-snapshot.ts';
import { stopQuietly } from './live/turn.ts';

/** Characters one turn keeps for resuming (contract/sse.md#coming-back: 1 MiB a turn). */
export const maxBufferedLength = 1024 * 1024;

/** A turn to begin, or to go on with. */
export interface TurnStart {
  readonly request: TurnRequest;
  readonly conversation: Conversation;
  /** Who the turn counts for, where that is known. */
  readonly caller?: CountedCaller | undefined;
  /** Ends the turn as refused before anything else happens. The session or the server already knows the reason. */
  readonly refusal?: TurnError;
  /** The turn ends as `stopped` before anything runs. */
  readonly stopped?: boolean;
  /** What an earlier process has left of the turn. The turn continues from there. */
  readonly kept?: OpenedTurn;
  /** The kept turn only ends: what is open in it is closed, and no model is asked. */
  readonly isInterrupted?: boolean;
  /** What a snapshot holds of a turn. A copy of that turn begins. */
  readonly copyOf?: TurnSnapshot;
}

/** What it takes to start turns. */
export interface TurnStarter {
  readonly services: TurnServices;
  readonly runningTurns: RunningTurns;
  readonly flushIntervalMs: number;
  readonly disconnectGraceMs: number;
  readonly onQuestion: (turn: LiveTurn) => void;
  /** Called when another process has taken a turn up that runs here. */
  readonly onLost: (turn: LiveTurn) => void;
  readonly forgetting: ForgetEnded;
}

/**
 * Starts a turn with its id, its record, its events and its stop (docs/architecture.md). The turn is found under its id from here until the
 * resume window has passed.
 */
export function startTurn(start: TurnStart, starter: TurnStarter): LiveTurn {
  const { runningTurns } = starter;
  const services = servicesOf(start.request, starter);
  const options = optionsOf(start, services);
  const turn = new LiveTurn(options, partsOf(options, start, starter));
  if (start.kept === undefined) {
    if (start.copyOf !== undefined) turn.events.inherit(start.copyOf.told);
  } else turn.events.takeUp(start.kept.lines);
  if (isKeptFromStart(start, services)) turn.keep();
  runningTurns.add(turn);
  if (start.isInterrupted === true) turn.interrupt();
  if (start.stopped === true) stopQuietly(turn, 'user');
  const { trace } = turn.record;
  const run = (): Promise<EndedTurn> =>
    runTurn({ turn, conversation: start.conversation, refusal: start.refusal, caller: start.caller }, services);
  void (trace === undefined ? run() : trace.run(run))
    .catch((error: unknown) => {
      // Only a fault of this server gets here. Callers must not wait for the turn for ever, and the process must not end.
      services.calls.log.error({ error, turnId: turn.id }, 'a turn could not be concluded');
      return turn.finish({ turnId: turn.id, status: 'failed', text: '', code: 'internal' });
    })
    .then((ended) => {
      runningTurns.ended(ended);
      if (turn.tape.isKept) starter.forgetting.ended();
    });
  return turn;
}

/** The services in the language of the turn. */
function servicesOf({ language }: TurnStart['request'], { services }: Pick<TurnStarter, 'services'>): TurnServices {
  return language === undefined ? services : (services.inLanguage?.(language) ?? services);
}

function optionsOf({ request, conversation, kept, copyOf }: TurnStart, services: TurnServices): TurnOptions {
  const { header } = kept ?? {};
  return {
    id: header?.turnId ?? hintedId(services.calls.replica),
    conversationId: conversation.id,
    request,
    history: header?.history ?? conversation.before(request.replaces),
    recentWords: conversation.recentWords(request.replaces),
    askedAt: header?.askedAt ?? copyOf?.askedAt ?? (services.times ?? services.calls.clock).now(),
    maxToolRounds: header?.maxToolRounds ?? services.maxToolRounds,
    isCopy: header?.isCopy ?? copyOf !== undefined,
    copyOf: header === undefined ? copyOf?.turnId : header.copyOf,
    remembered: conversation.remembered,
  };
}

/**
 * Keeps the turn from its beginning, with `server.durableTurns`. Two kinds of turns are not kept: a turn that never ran, since nobody goes on
 * with it, and a turn that nobody could read in another process.
 */
function isKeptFromStart({ request, kept, refusal, stopped }: TurnStart, { tape }: TurnServices): boolean {
  const mayOutlive = tape.policy === 'always' && request.channel.endsWithRequest !== true;
  return mayOutlive && kept === undefined && refusal === undefined && stopped !== true;
}

function partsOf(options: TurnOptions, start: TurnStart, starter: TurnStarter): TurnParts<LiveTurn> {
  const { id } = options;
  const { kept, copyOf } = start;
  const { services, flushIntervalMs, disconnectGraceMs, onQuestion, onLost } = starter;
  const { clock } = services.calls;
  const tape = new Tape(id, services.tape, kept && { epoch: kept.epoch, lines: kept.lines.length });
  const log = new EventLog({ turnId: id, agent: coordinatorName, maxLength: maxBufferedLength });
  return {
    record: new StepRecord(kept === undefined ? copyOf?.steps : stepsOf(kept.lines), traceOf(options, start, services)),
    tape,
    events: new TurnEvents({ log, tape, flushIntervalMs, elapsed: () => clock.elapsed() }),
    disconnectGraceMs,
    startedAt: clock.elapsed(),
    onQuestion,
    onLost,
  };
}

function traceOf(
  { id, conversationId, request }: TurnOptions,
  { kept, copyOf }: TurnStart,
  { tracing }: TurnServices,
): TurnTrace | undefined {
  const { caller, channel } = request;
  return tracing?.begin({
    id,
    conversationId,
    agent: coordinatorName,
    channel: channel.name,
    user: caller.principal.userKey,
    tenant: tenantOf(caller.principal),
    traceparent: caller.traceparent,
    isContinued: kept !== undefined || copyOf !== undefined,
  });
}
