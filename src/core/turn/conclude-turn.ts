import { TurnError } from '../errors/turn-error.ts';
import { errorText } from '../language/texts.ts';
import { ModelError } from '../ports/chat-model.ts';
import type { EndedTurn } from './ended-turn.ts';
import { type LiveTurn, TurnStopped } from './live-turn.ts';
import type { TurnEvent, TurnStatus } from './turn-event.ts';
import type { TurnRun } from './turn-run.ts';
import type { TurnServices } from './turn-services.ts';
import type { TurnUsage } from './turn-usage.ts';

type TurnCompleted = Extract<TurnEvent, { readonly type: 'turn-completed' }>;
interface Ending {
  readonly status: TurnStatus;
  readonly error: TurnError | undefined;
}

/** Closes a turn with its one `TurnCompleted` (wire.md 2); a refusal or failure sends `ErrorOccurred` first. */
export function concludeTurn(
  fault: unknown,
  run: TurnRun,
  context: { readonly services: TurnServices; readonly usage: TurnUsage },
): EndedTurn {
  const { turn } = run;
  const { services, usage } = context;
  const ending = endingOf(fault, turn);
  if (ending.error !== undefined) announce(ending.error, turn, services);
  const code = ending.error?.code;
  const completed: TurnCompleted = {
    type: 'turn-completed',
    status: ending.status,
    text: turn.events.shownText(),
    ...(code === undefined ? {} : { code }),
    usage: usage.total(),
    durationMs: usage.elapsedMs(),
  };
  turn.events.emit(completed);
  const { metrics, log } = services.tools;
  const { status, durationMs } = completed;
  const firstTextAt = turn.events.firstTextAt;
  const firstTokenMs = firstTextAt === undefined ? undefined : firstTextAt - usage.startedAt;
  metrics.turnEnded({ channel: run.channel, status, code, durationMs, firstTokenMs, usage: completed.usage });
  const fields = { turnId: turn.id, channel: run.channel, status, code, durationMs, ...completed.usage };
  if (status === 'failed') log.warn({ ...fields, error: ending.error }, 'turn failed');
  else log.info(fields, 'turn ended');
  return turn.finish({ turnId: turn.id, status, text: completed.text, ...(code === undefined ? {} : { code }) });
}

function endingOf(fault: unknown, turn: LiveTurn): Ending {
  const reason: unknown = turn.signal.reason;
  if (fault === undefined) return { status: 'completed', error: undefined };
  if (reason instanceof TurnStopped && !(fault instanceof TurnError)) {
    if (reason.reason !== 'draining') return { status: 'stopped', error: undefined };
    return failed(new TurnError('failed', 'server_draining', reason.message, { retryable: true }));
  }
  if (fault instanceof TurnError) return { status: fault.status, error: fault };
  if (fault instanceof ModelError) {
    const retryable = fault.code !== 'model_refused';
    return failed(new TurnError('failed', fault.code, fault.message, { cause: fault, retryable }));
  }
  return failed(new TurnError('failed', 'internal', 'an unexpected fault', { cause: fault, retryable: true }));
}

function failed(error: TurnError): Ending {
  return { status: 'failed', error };
}

function announce(error: TurnError, turn: LiveTurn, services: TurnServices): void {
  turn.events.emit({
    type: 'error-occurred',
    code: error.code,
    message: errorText(services.tools.texts, error.code, { max: String(services.maxMessageLength) }),
    retryable: error.retryable,
  });
}
