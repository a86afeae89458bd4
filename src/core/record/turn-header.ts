import type { ChannelName } from '../events/turn-event.ts';
import type { Principal } from '../identity/principal.ts';
import type { KeptMessage } from '../request/kept-message.ts';
import { channelTraits, type CurrentPage, type TurnMessage, type TurnRequest } from '../request/turn-request.ts';
import type { UiAction } from '../request/ui-actions.ts';

/** Counts up when a key of the record changes its meaning: a record of another version is concluded, not gone on with. */
export const recordVersion = 2;

/** The principal as JSON: sets are lists there. */
export type KeptPrincipal = Omit<Principal, 'roles'> & { readonly roles: readonly string[] };

/** What a turn is made of from its beginning: with its record, all that it takes to go on (JSON). */
export interface TurnHeader {
  readonly version: number;
  readonly turnId: string;
  readonly conversationId: string;
  readonly principal: KeptPrincipal;
  readonly channel: ChannelName;
  readonly page?: CurrentPage;
  readonly uiActions: readonly UiAction[];
  /** With its images: the model may be asked again for this turn. */
  readonly message: TurnMessage;
  /** The conversation before this turn. */
  readonly history: readonly KeptMessage[];
  /** When the user's message was said, in epoch milliseconds. */
  readonly askedAt: number;
  readonly maxToolRounds: number;
  readonly isCopy: boolean;
  /** The turn of which it is a copy. Version 1.0 kept none. */
  readonly copyOf?: string | undefined;
  /** The W3C trace context that the turn goes on in. Version 1.0 kept none. */
  readonly traceparent?: string;
}

/** The request of a turn as its header keeps it. */
export function keptRequest({
  caller,
  channel,
  message,
  page,
  uiActions,
}: TurnRequest): Pick<TurnHeader, 'principal' | 'channel' | 'page' | 'uiActions' | 'message' | 'traceparent'> {
  return {
    principal: { ...caller.principal, roles: [...caller.principal.roles] },
    channel: channel.name,
    ...(page === undefined ? {} : { page }),
    uiActions,
    message,
    ...(caller.traceparent === undefined ? {} : { traceparent: caller.traceparent }),
  };
}

/** The request that `keptRequest` kept. The caller's token is never kept. */
export function requestOf({ principal, channel, page, uiActions, message, traceparent }: TurnHeader): TurnRequest {
  return {
    caller: {
      // Written by `keptRequest`: the same members but for the roles.
      principal: { ...principal, roles: new Set(principal.roles) } as Principal,
      authorization: undefined,
      traceparent,
    },
    channel: channelTraits[channel],
    message,
    page,
    uiActions,
  };
}
