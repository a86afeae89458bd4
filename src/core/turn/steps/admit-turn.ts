import { admitMessage } from '../../limits/admit-message.ts';
import type { LiveTurn } from '../live/live-turn.ts';
import type { TurnServices } from '../live/turn-services.ts';

/**
 * Admits the message of a turn. Gives a promise only where other replicas count messages too.
 * @throws TurnError where a limit is exceeded. A promise rejects with it.
 */
export function admitTurn(turn: LiveTurn, services: TurnServices): Promise<unknown> | undefined {
  const count = (): Promise<void> | undefined => {
    admitMessage(turn.request.message, services);
    turn.requireRunning();
    return isCounted(turn) ? services.messageRate.admit(turn.principal) : undefined;
  };
  if (services.messageRate.isShared) {
    return turn.record.step('admitted', async () => {
      await count();
      return true;
    });
  }
  turn.record.now('admitted', () => {
    void count();
    return true;
  });
  return undefined;
}

/** Whether the message counts for `rateLimitPerUser`. */
export function isCounted({ principal, request }: LiveTurn): boolean {
  return principal.kind === 'signed-in' || !request.channel.countsNamedOnly;
}
