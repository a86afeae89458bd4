import type { ConnectionHubEvents } from '../../wire/hub-events.ts';
import type { ConversationOptions } from './conversation-options.ts';
import { type ConversationState, emptyConversation } from './conversation-state.ts';

type Settings = ConversationOptions['settings'];

/** The state with what the server says of itself on a new connection. */
export function connectedState(
  state: ConversationState,
  { maxMessageLength, demo, budget, hostedTools }: ConnectionHubEvents['Connected']['settings'],
  { showsHostedTools }: Settings,
): ConversationState {
  const named = showsHostedTools === true ? hostedTools : [];
  return { ...state, connection: 'connected', maxMessageLength, isDemo: demo, budget, hostedTools: named };
}

/** The state with the tools of the provider that the server has shown, unless the page's widget does not show them. */
export function withHostedTools(
  state: ConversationState,
  hostedTools: readonly string[],
  { showsHostedTools }: Settings,
): ConversationState {
  return showsHostedTools === false ? state : { ...state, hostedTools };
}

/** An empty conversation on the same connection. */
export function emptied({
  maxMessageLength,
  isDemo,
  nextId,
  budget,
  hostedTools,
}: ConversationState): ConversationState {
  return { ...emptyConversation(isDemo), maxMessageLength, nextId, budget, hostedTools };
}
