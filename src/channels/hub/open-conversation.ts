import { HelperError } from '../../core/errors/helper-error.ts';
import type { OpenConversationResult } from '../../wire/hub-methods.ts';
import { restoredSession } from '../shared/restored-session.ts';
import type { HubSession } from './hub-session.ts';
import type { InvocationMethod } from './protocol/hub-application.ts';
import { HubError } from './protocol/hub-errors.ts';
import { readConversationArgument } from './read-arguments.ts';

/** `OpenConversation` (contract/hub.md#methods): the next message continues one of the caller's own kept conversations. */
export const openConversation: InvocationMethod<HubSession> = {
  kind: 'invocation',
  parameters: 1,
  // The method may be called during a turn, but then it is refused. Calls run one after the other, so the last call counts.
  concurrent: false,
  invoke: async (hub, call): Promise<OpenConversationResult> => {
    const id = readConversationArgument(call.arguments);
    try {
      const { conversationId, messages } = restoredSession({
        ...(await hub.openConversation(id)),
        openConfirmations: [],
      });
      return { conversationId, messages };
    } catch (error) {
      if (!(error instanceof HelperError)) throw error;
      throw new HubError(`${error.code}: ${error.message}`);
    }
  },
};
