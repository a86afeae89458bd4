import type { HubRequests } from './hub-requests.ts';

/** What the server has told about a connection that it accepts. */
export interface Negotiated {
  readonly connectionId: string;
  /** Names the connection in requests. The token is a secret. */
  readonly connectionToken: string;
  /** How long the user's token is valid. Null when it has no end, or when there is no token. */
  readonly lifetimeMs: number | null;
  /** Whether the connection outlives its WebSocket for a while. */
  readonly isStateful: boolean;
  /** The transports that the server offers. */
  readonly transports: readonly unknown[];
}

/** Asks for a connection. Rejects with an `HttpRefusal`, or when the answer is unusable. */
export async function negotiate(requests: HubRequests, signal: AbortSignal): Promise<Negotiated> {
  const url = requests.address({ negotiateVersion: '1', useStatefulReconnect: 'true' }, '/negotiate');
  const response = await requests.send({ method: 'POST', url, signal });
  const answer = (await response.json()) as Readonly<Record<string, unknown>>; // the code below checks each value
  const { connectionId, connectionToken, availableTransports, error } = answer;
  // An answer that sends the client to another server is not followed, because the user's token is for this server.
  if (typeof connectionToken !== 'string' || typeof connectionId !== 'string' || !Array.isArray(availableTransports))
    throw new Error(typeof error === 'string' ? error : 'no agreement');
  return {
    connectionId,
    connectionToken,
    lifetimeMs: millisecondsOf(answer['tokenLifetimeSeconds']),
    isStateful: answer['useStatefulReconnect'] === true,
    transports: availableTransports.map((entry: { readonly transport?: unknown } | null) => entry?.transport),
  };
}

/** A lifetime in the server's notation, as milliseconds. */
export function millisecondsOf(seconds: unknown): number | null {
  return typeof seconds === 'number' ? seconds * 1000 : null;
}
