import type { HubSession } from './hub-session.ts';
import type { HubCall, HubMethod, InvocationMethod } from './protocol/hub-application.ts';
import { openConversation } from './open-conversation.ts';
import { readPageArgument } from './read-arguments.ts';
import { resume } from './resume.ts';
import { sendMessage } from './send-message.ts';
import { streamMessage } from './stream-message.ts';

/** The methods clients may call (contract/hub.md#methods). */
export const hubMethods: Readonly<Record<string, HubMethod<HubSession>>> = {
  SendMessage: sendMessage,
  StreamMessage: streamMessage,
  NewConversation: beside(0, (hub) => {
    const { conversationId } = hub.session.newConversation();
    return { conversationId };
  }),
  OpenConversation: openConversation,
  SetPage: beside(1, (hub, call) => {
    const { page, actions } = readPageArgument(call.arguments);
    hub.setPage(page, actions);
    return null;
  }),
  GetConnectionId: beside(0, (_hub, call) => call.connection.id),
  Resume: resume,
};

/** A short method that runs beside a turn. */
function beside(parameters: number, invoke: (hub: HubSession, call: HubCall) => unknown): InvocationMethod<HubSession> {
  return { kind: 'invocation', parameters, concurrent: true, invoke };
}
