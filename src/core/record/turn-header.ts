import type { ChannelName } from '../events/turn-event.ts';
import type { Principal } from '../identity/principal.ts';
import type { Language } from '../language/language.ts';
import type { KeptMessage } from '../request/kept-message.ts';
import {
  channelTraits,
  type CurrentPage,
  type DetachedTurn,
  type TurnMessage,
  type TurnRequest,
} from '../request/turn-request.ts';
import type { UiAction } from '../request/ui-actions.ts';

/** Raised when a key of the record changes its meaning. A turn whose record has another version is concluded and does not go on. */
export const recordVersion = 2;

/** The principal as JSON, which has the roles as a list instead of a set. */
export type KeptPrincipal = Omit<Principal, 'roles'> & { readonly roles: readonly string[] };

/** What is kept of a turn from its beginning, as JSON. The header and the record are all that the turn needs to go on. */
export interface TurnHeader {
  readonly version: number;
  readonly turnId: string;
  readonly conversationId: string;
  readonly principal: KeptPrincipal;
  readonly channel: ChannelName;
  readonly page?: CurrentPage;
  readonly uiActions: readonly UiAction[];
  /** The message with its images, because the model may be asked again for this turn. */
  readonly message: TurnMessage;
  /** The conversation before this turn. */
  readonly history: readonly KeptMessage[];
  /** When the user's message was said, in epoch milliseconds. */
  readonly askedAt: number;
  readonly maxToolRounds: number;
  readonly isCopy: boolean;
  /** The turn that this turn is a copy of. Headers of version 1.0 do not have it. */
  readonly copyOf?: string | undefined;
  /** The W3C trace context that the turn goes on in. Headers of version 1.0 do not have it. */
  readonly traceparent?: string;
  /** As `TurnCaller.credential`. */
  readonly credential?: string;
  /** As `TurnRequest.language`. */
  readonly language?: Language;
  /** As `TurnRequest.isReadWhole`. */
  readonly isReadWhole?: true;
  /** As `TurnRequest.detached`. */
  readonly detached?: DetachedTurn;
  /** As `TurnRequest.replaces`. */
  readonly replaces?: string;
}

/** The request of a turn as its header keeps it. */
export function keptRequest({
  caller,
  channel,
  message,
  page,
  uiActions,
  language,
  isReadWhole,
  detached,
  replaces,
}: TurnRequest): Omit<
  TurnHeader,
  'version' | 'turnId' | 'conversationId' | 'history' | 'askedAt' | 'maxToolRounds' | 'isCopy' | 'copyOf'
> {
  return {
    principal: { ...caller.principal, roles: [...caller.principal.roles] },
    channel: channel.name,
    ...(page === undefined ? {} : { page }),
    uiActions,
    message,
    ...(caller.traceparent === undefined ? {} : { traceparent: caller.traceparent }),
    ...(caller.credential === undefined ? {} : { credential: caller.credential }),
    ...(language === undefined ? {} : { language }),
    ...(isReadWhole === undefined ? {} : { isReadWhole }),
    ...(detached === undefined ? {} : { detached }),
    ...(replaces === undefined ? {} : { replaces }),
  };
}

/** The request that `keptRequest` kept. The caller's token is never kept. */
export function requestOf({
  principal,
  channel,
  page,
  uiActions,
  message,
  traceparent,
  credential,
  language,
  isReadWhole,
  detached,
  replaces,
}: TurnHeader): TurnRequest {
  return {
    caller: {
      // Written by `keptRequest`: the same members but for the roles.
      principal: { ...principal, roles: new Set(principal.roles) } as Principal,
      authorization: undefined,
      traceparent,
      credential,
    },
    channel: channelTraits[channel],
    message,
    page,
    uiActions,
    ...(language === undefined ? {} : { language }),
    ...(isReadWhole === undefined ? {} : { isReadWhole }),
    ...(detached === undefined ? {} : { detached }),
    ...(replaces === undefined ? {} : { replaces }),
  };
}
