import { stopQuietly } from '../../core/turn/live/turn.ts';
import { streamItemJson } from '../shared/hub-event-names.ts';
import type { HubSession } from './hub-session.ts';
import type { StreamMethod } from './protocol/hub-application.ts';
import { readMessageCall } from './read-message-call.ts';

/**
 * `StreamMessage` (contract/hub.md#methods): a turn whose events are only the items of the stream. Cancelling the stream is Stop. The call
 * never waits: during another turn it ends at once with `turn_in_progress`.
 */
export const streamMessage: StreamMethod<HubSession> = {
  kind: 'stream',
  parameters: 2,
  open: (hub, call, items) => {
    const { message, options } = readMessageCall(call);
    const turn = hub.session.startNow(message, options);
    hub.showAsStream(turn, (event) => {
      items.sendJson(streamItemJson(event));
    });
    call.signal.addEventListener('abort', () => stopQuietly(turn, 'user'), { once: true });
    return turn.result.then(() => undefined);
  },
};
