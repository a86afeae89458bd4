import type { HubRequests } from './hub-requests.ts';

/** What the server said of a connection that it agreed to. */
export interface Negotiated {
  readonly connectionId: string;
  /** Names the connection in requests. A secret. */
  readonly connectionToken: string;
  /** How long the user's token is good; null when it has no end or there is none. */
  readonly lifetimeMs: number | null;
  /** The connection outlives its WebSocket for a while. */
  readonly isStateful: boolean;
  /** The transports that the server has. */
  readonly transports: readonly unknown[];
}

/** Asks for a connection. Rejects with an `HttpRefusal`, or when the answer is of no use. */
export async function negotiate(requests: HubRequests, signal: AbortSignal): Promise<Negotiated> {
  const url = requests.address({ negotiateVersion: '1', useStatefulReconnect: 'true' }, '/negotiate');
  const response = await requests.send({ method: 'POST', url, signal });
  const answer = (await response.json()) as Readonly<Record<string, unknown>>; // each value is looked at below
  const { connectionId, connectionToken, availableTransports, error } = answer;
  // An answer that sends the client elsewhere is not followed: its user's token is for this server.
  if (typeof connectionToken !== 'string' || typeof connectionId !== 'string' || !Array.isArray(availableTransports))
    throw new Error(typeof error === 'string' ? error : 'no connection was agreed');
  return {
    connectionId,
    connectionToken,
    lifetimeMs: millisecondsOf(answer['tokenLifetimeSeconds']),
    isStateful: answer['useStatefulReconnect'] === true,
    transports: availableTransports.map((entry: { readonly transport?: unknown } | null) => entry?.transport),
  };
}

/** A lifetime as the server sends it. */
export function millisecondsOf(seconds: unknown): number | null {
  return typeof seconds === 'number' ? seconds * 1000 : null;
}
