import { receiptsOf } from '../../calls/receipts.ts';
import { tenantOf } from '../../identity/principal.ts';
import { agentsMember } from './agents-of-turn.ts';
import { type End, errorEvent, isPolite } from './end-of-turn.ts';
import type { EndedTurn } from '../live/ended-turn.ts';
import { deliveryOf } from './delivery-of.ts';
import type { LiveTurn } from '../live/live-turn.ts';
import type { TurnServices } from '../live/turn-services.ts';
import { usageOf } from './turn-usage.ts';

/**
 * Closes a turn with its one `TurnCompleted` (contract/events.md#order). A refusal or failure sends `ErrorOccurred` first, unless the reply
 * itself has told the user the reason. For a kept turn, clients get both events only after they are stored.
 */
export async function concludeTurn(turn: LiveTurn, end: End, services: TurnServices): Promise<EndedTurn> {
  const { events, record, request } = turn;
  const { status, error, durationMs } = end;
  const isNew = !record.inherited('end');
  if (error !== undefined && !isPolite(error)) {
    events.once('error', errorEvent(error, services));
  }
  const text = events.shownText();
  const usage = usageOf(record, services.model.model);
  const code = error === undefined ? {} : { code: error.code };
  const receipts = receiptsOf(record);
  const told = receipts.length > 0 ? { receipts } : {};
  const last = { status, text, ...code, usage, durationMs, ...told };
  events.once('completed', { type: 'turn-completed', ...last });
  if (turn.tape.isKept) await turn.tape.end(deliveryOf(turn, last, services.calls.clock.now()));
  if (isNew) {
    const { metrics, log, refusalLines } = services.calls;
    const channel = request.channel.name;
    const { firstTextAt } = events;
    // A turn that was taken up began in another process, on another clock.
    const firstTokenMs = firstTextAt === undefined || record.isReplay ? undefined : firstTextAt - turn.startedAt;
    const counted = metrics.of(tenantOf(turn.principal));
    counted.turnEnded({ turnId: turn.id, channel, status, code: error?.code, durationMs, firstTokenMs, usage });
    const { configuration } = services;
    const known = { turnId: turn.id, channel, status, ...code, durationMs, ...usage, configuration };
    const who = turn.principal.userKey;
    const line = status === 'refused' ? refusalLines.take({ what: 'turn', who }) : {};
    if (line !== undefined) log.info({ ...known, ...agentsMember(record), ...line }, 'turn ended');
  }
  return turn.finish({ turnId: turn.id, status, text, ...code });
}
