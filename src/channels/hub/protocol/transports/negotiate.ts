import type { ConnectionTokens, NegotiatedIds } from '../connection-token.ts';
import { type HubCaller, tokenLifetime } from '../hub-callers.ts';
import type { TransportName } from '../hub-transport.ts';

/** The transports this server has, in the order clients shall prefer them. */
const availableTransports = [
  { transport: 'WebSockets', transferFormats: ['Text', 'Binary'] },
  { transport: 'ServerSentEvents', transferFormats: ['Text'] },
  { transport: 'LongPolling', transferFormats: ['Text', 'Binary'] },
] as const satisfies readonly { readonly transport: TransportName; readonly transferFormats: readonly string[] }[];

/** The answer to `POST {hub}/negotiate`; always sent with status 200. */
export type NegotiateAnswer =
  | { readonly error: string }
  | (Partial<NegotiatedIds> & {
      readonly negotiateVersion: 0 | 1;
      readonly availableTransports: typeof availableTransports;
      /** Sent only when the client asked for it, because other clients treat it as a fault. */
      readonly useStatefulReconnect?: true;
      /** Seconds after which the client should have refreshed its credential. Left out when the credential does not end. */
      readonly tokenLifetimeSeconds?: number;
    });

export interface NegotiateRequest {
  /** The query value as sent. */
  readonly negotiateVersion: string | undefined;
  /** The client asked for stateful reconnect, and the hub has it. */
  readonly stateful: boolean;
  readonly caller: HubCaller;
}

/** Answers a negotiation. Stores nothing. */
export function negotiate(request: NegotiateRequest, tokens: ConnectionTokens): NegotiateAnswer {
  const { caller, stateful } = request;
  const asked = request.negotiateVersion ?? '0';
  if (!/^[+-]?\d{1,9}$/.test(asked)) return { error: 'The client requested a non-integer protocol version.' };
  const version = Number(asked);
  if (version < 0) {
    return { error: `The client requested version '${asked}', but the server does not support this version.` };
  }
  if (version === 0) {
    const { connectionId } = tokens.issue(0, caller.key);
    return { negotiateVersion: 0, connectionId, availableTransports, ...tokenLifetime(caller) };
  }
  return {
    negotiateVersion: 1,
    ...tokens.issue(stateful ? 'stateful' : 1, caller.key),
    availableTransports,
    ...(stateful && { useStatefulReconnect: true }),
    ...tokenLifetime(caller),
  };
}
