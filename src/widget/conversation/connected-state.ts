import type { ConnectionHubEvents } from '../../wire/hub-events.ts';
import type { ConversationOptions } from './conversation-options.ts';
import { type ConversationState, emptyConversation, type ServiceStatus } from './conversation-state.ts';

type Settings = ConversationOptions['settings'];

/** A conversation before its first message and its first connection. */
export function begun(settings: Settings): ConversationState {
  const { demo, expectedAgents: agents, expectedServers: servers, expectedTools: tools, hidesSources } = settings;
  const status = { ...(agents && { agents }), ...(servers && { servers }), ...(tools && { tools }) };
  return { ...emptyConversation(demo), status, hidesSources };
}

/** The state with what the server says of itself on a new connection. */
export function connectedState(
  state: ConversationState,
  { maxMessageLength, demo, budget, hostedTools: tools }: ConnectionHubEvents['Connected']['settings'],
  { showsHostedTools }: Settings,
): ConversationState {
  const status = showsHostedTools === true && tools.length > 0 ? { tools } : {};
  return { ...state, connection: 'connected', maxMessageLength, isDemo: demo, budget, status };
}

/** The state with what the server has told of what stands behind the assistant, where the page's widget shows that. */
export function withStatus(
  state: ConversationState,
  told: ServiceStatus,
  { showsHostedTools, showsRemoteAgents, showsMcpServers }: Settings,
): ConversationState {
  const isShown = told.servers ? showsMcpServers : told.agents ? showsRemoteAgents : showsHostedTools !== false;
  return isShown === true ? { ...state, status: { ...state.status, ...told } } : state;
}

/** An empty conversation on the same connection. */
export function emptied({ isDemo, ...state }: ConversationState): ConversationState {
  const { maxMessageLength, nextId, budget, status, hidesSources } = state;
  return { ...emptyConversation(isDemo), maxMessageLength, nextId, budget, status, hidesSources };
}
