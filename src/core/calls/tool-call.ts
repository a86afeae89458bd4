import type { ModelToolCall } from '../ports/chat-model.ts';
import type { Principal } from '../identity/principal.ts';
import type { Tool, ToolContext } from '../tools/tool.ts';
import type { CallScope } from './call-scope.ts';

/** A call under our own id, unguessable and unique whatever the model wrote. */
export type ToolCall = Omit<ModelToolCall, 'id'> & { readonly callId: string };

/** A call on its way through the door. */
export interface EnteredCall {
  readonly call: ToolCall;
  /** The key of its outcome, and the beginning of all its other keys. */
  readonly at: string;
  readonly scope: CallScope;
  /** An earlier run of the turn may have got further: the journal is asked first. */
  readonly isKnown: boolean;
  /** Runs something once the outcome is on the tape. */
  readonly afterwards: (then: () => void) => void;
}

/** What a tool knows of its call but for what lives in the process. */
export type KeptContext = Pick<ToolContext, 'user' | 'callId' | 'turnId' | 'conversationId' | 'channel' | 'page'>;

/** A call whose tool exists and whose arguments fit. */
export interface CheckedCall extends EnteredCall {
  readonly tool: Tool;
  readonly argumentsValue: Readonly<Record<string, unknown>>;
  /** It counts as one that changes nothing. */
  readonly readOnly: boolean;
  /** For whom it runs, with the roles known when it was answered; left out, as known when the turn began. */
  readonly principal?: Principal;
  /** It may have run before: it is made again as it was. */
  readonly again?: KeptContext;
}
