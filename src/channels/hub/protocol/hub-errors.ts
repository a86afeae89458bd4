/** A deliberate error of a method: its message is sent to the caller, as ASP.NET Core does with a `HubException`. */
export class HubError extends Error {
  override readonly name = 'HubError';
}

/** The arguments do not fit the method. The message is logged, the caller gets the protocol's own sentence. */
export class HubArgumentError extends Error {
  override readonly name = 'HubArgumentError';
}

/** What the client sent breaks the protocol: the connection is closed with this message. */
export class HubProtocolError extends Error {
  override readonly name = 'HubProtocolError';
}

/** Error texts that SignalR clients and their tests know word for word. */
export const errorTexts = {
  unknownMethod: (name: string) => `Unknown hub method '${name}'`,
  notStreaming: (name: string) =>
    `The client attempted to invoke the non-streaming '${name}' method with a streaming invocation.`,
  streaming: (name: string) =>
    `The client attempted to invoke the streaming '${name}' method with a non-streaming invocation.`,
  badArguments: (name: string) => `Failed to invoke '${name}' due to an error on the server.`,
  failed: (name: string) => `An unexpected error occurred invoking '${name}' on the server.`,
  streamFailed: 'An error occurred on the server while streaming results.',
  idInUse: (id: string) => `Invocation ID '${id}' is already in use.`,
  closed: 'Connection closed with an error.',
  sequenceTooHigh: "Sequence ID greater than amount of messages we've received.",
  handshakeTimeout: 'Handshake was canceled.',
  handshakeFailed: 'An unexpected error occurred during connection handshake.',
  unknownProtocol: (name: string) => `The protocol '${name}' is not supported.`,
  textOnly: (name: string) =>
    `Cannot use the '${name}' protocol on the current transport. The transport does not support 'Binary' transfer format.`,
  unknownVersion: (version: number, name: string) =>
    `The server does not support version ${String(version)} of the '${name}' protocol.`,
} as const;
