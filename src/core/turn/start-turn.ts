import { coordinatorName } from '../coordinator/coordinator-name.ts';
import { randomId } from '../identity/random-id.ts';
import { EventLog } from './event-log.ts';
import { LiveTurn } from './live-turn.ts';
import { runTurn } from './run-turn.ts';
import type { RunningTurns } from './running-turns.ts';
import { TurnEvents } from './turn-events.ts';
import type { TurnRun } from './turn-run.ts';
import type { TurnServices } from './turn-services.ts';

/** Characters one turn keeps for resuming (wire.md 4: 1 MiB a turn). */
const maxBufferedLength = 1024 * 1024;

export interface TurnStarter {
  readonly services: TurnServices;
  readonly runningTurns: RunningTurns;
  readonly flushIntervalMs: number;
  readonly disconnectGraceMs: number;
}

/**
 * Gives a turn its id, its events and its stop, and sets it going (architecture.md 3, step 2). It is found under its id
 * from here until the resume window has passed. With `stopped`, the turn ends as `stopped` before anything runs.
 */
export function startTurn(run: Omit<TurnRun, 'turn'> & { readonly stopped?: boolean }, starter: TurnStarter): LiveTurn {
  const id = run.suspended?.turnId ?? randomId();
  const turn = new LiveTurn({
    id,
    conversationId: run.conversation.id,
    principal: run.principal,
    disconnectGraceMs: starter.disconnectGraceMs,
    events: new TurnEvents({
      log: new EventLog({ turnId: id, agent: coordinatorName, maxLength: maxBufferedLength }),
      flushIntervalMs: starter.flushIntervalMs,
      now: starter.services.tools.now,
    }),
  });
  if (run.suspended !== undefined) turn.restore(run.suspended.events);
  starter.runningTurns.add(turn);
  if (run.stopped === true) turn.stop('user');
  void runTurn({ ...run, turn }, starter.services)
    .catch((error: unknown) => {
      // Only a fault of our own gets here. Whoever waits for the turn must not wait for ever, nor the process end.
      starter.services.tools.log.error({ error, turnId: id }, 'a turn could not be concluded');
      return turn.finish({ turnId: id, status: 'failed', text: '', code: 'internal' });
    })
    .then((ended) => {
      starter.runningTurns.ended(ended);
    });
  return turn;
}
