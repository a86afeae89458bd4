import { stopQuietly, type Turn, type TurnResult } from '../../core/turn/turn.ts';
import type { HubSession } from './hub-session.ts';
import type { HubCall, InvocationMethod } from './protocol/hub-application.ts';
import { readMessageCall } from './read-message-call.ts';

/**
 * `SendMessage` (contract/hub.md#methods): one turn with its events as hub events, answered when it has ended. The session lets
 * messages wait for each other, not the protocol, so that Stop drops the waiting ones too.
 */
export const sendMessage: InvocationMethod<HubSession> = {
  kind: 'invocation',
  parameters: 2,
  concurrent: true,
  invoke: runTurn,
};

async function runTurn(hub: HubSession, call: HubCall): Promise<TurnResult> {
  const turn = await beginTurn(hub, call);
  hub.show(turn);
  const stop = (): void => {
    stopQuietly(turn, 'user');
  };
  if (call.signal.aborted) stop();
  call.signal.addEventListener('abort', stop, { once: true });
  return turn.result;
}

/** A function of its own: the wait for the turn would otherwise hold all that was sent until the turn's end. */
function beginTurn(hub: HubSession, call: HubCall): Turn | Promise<Turn> {
  const { message, options } = readMessageCall(call);
  return hub.streaming ? hub.session.startNow(message, options) : hub.session.send(message, options);
}
