import type { MessageImage } from './message-image.ts';

/** A message for a remote agent. */
export interface RemoteRequest {
  readonly text: string;
  /** The pictures of the message. Left out: it has none. */
  readonly images?: readonly MessageImage[] | undefined;
  /** What the remote agent gave with its last reply in this conversation. Left out, the conversation with it is new. */
  readonly thread?: RemoteThread | undefined;
  /** The same for each attempt to send the message, so that a remote agent can tell a repetition. */
  readonly messageId: string;
  /** Aborted by a Stop. The task of the remote agent is then cancelled. */
  readonly signal: AbortSignal;
  /** The W3C trace context of the call. */
  readonly traceparent?: string | undefined;
}

/** Where a conversation with a remote agent stands. A JSON value. */
export interface RemoteThread {
  readonly contextId: string;
  /** A task that waits for the next message. */
  readonly taskId?: string;
}

/** Where a conversation with a remote agent stands, and what it has asked without the user reading it. */
export interface StandingThread extends RemoteThread {
  readonly question?: string;
}

/** What is to be known of agents in later turns of a conversation. A JSON value. */
export interface Standing {
  /** Where the conversation with each remote agent stands, by its name. */
  readonly threads?: Readonly<Record<string, StandingThread>>;
  /** The member with whom each team goes on, by the name of the team. */
  readonly holders?: Readonly<Record<string, string>>;
}

/** What a remote agent has answered. A JSON value. Its text is untrusted. */
export interface RemoteReply {
  readonly text: string;
  /** The agent asks the user back: its text is a question, and the answer continues `thread`. */
  readonly asksBack: boolean;
  readonly thread?: RemoteThread;
}

/** An agent on another server. */
export interface RemoteAgent {
  /**
   * Sends a message and reads the reply. `onText` gets each further piece of the text as it is read.
   * @throws RemoteAgentFault where there is no reply. A fault never holds text of the remote agent.
   * @throws the reason of `signal`, once it is aborted.
   */
  ask(request: RemoteRequest, onText: (piece: string) => void): Promise<RemoteReply>;
}

/** How a remote agent is doing, for the badge of the widget (contract/events.md#events-of-the-connection). */
export type RemoteAgentStatus = 'connecting' | 'connected' | 'failed';

/** A remote agent as clients are told of it. */
export interface ShownRemoteAgent {
  readonly name: string;
  /** The address without user info and query. */
  readonly agentCardUrl: string;
  readonly status: RemoteAgentStatus;
  /** A user needs only one of these roles to be told of the agent. Empty: everybody is told. */
  readonly requiredRoles: readonly string[];
}

/** How the remote agents of this server are doing. */
export interface RemoteAgentBoard {
  shown(): readonly ShownRemoteAgent[];
  /** Calls `listener` after each change of what is shown. */
  onChange(listener: () => void): void;
}

/** Why a remote agent gave no reply. The message names no address, and is safe for a log. */
export class RemoteAgentFault extends Error {
  override readonly name = 'RemoteAgentFault';
}
