import { stopQuietly, type Turn, type TurnResult } from '../../core/turn/live/turn.ts';
import type { HubSession } from './hub-session.ts';
import type { HubCall, InvocationMethod } from './protocol/hub-application.ts';
import { readMessageCall } from './read-message-call.ts';

/**
 * `SendMessage` (contract/hub.md#methods): one turn with its events as hub events. The call is answered when the turn has ended. Waiting
 * messages are queued by the session and not by the protocol, so that Stop drops them too.
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

/** Begins the turn in a separate function, so that the message is not kept in memory while the caller waits for the end of the turn. */
function beginTurn(hub: HubSession, call: HubCall): Turn | Promise<Turn> {
  const { message, options } = readMessageCall(call);
  return hub.streaming ? hub.session.startNow(message, options) : hub.session.send(message, options);
}
