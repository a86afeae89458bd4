import type { RepeatedCall } from '../confirmations/confirmation-request.ts';
import type { ModelToolCall } from '../ports/chat-model.ts';
import type { Principal } from '../identity/principal.ts';
import type { Tool, ToolContext } from '../tools/tool.ts';
import type { CallProvenance } from './call-provenance.ts';
import type { CallScope } from './call-scope.ts';

/** A call under an id of this server. The id cannot be guessed and is unique, whatever the model wrote. */
export type ToolCall = Omit<ModelToolCall, 'id'> & { readonly callId: string };

/** A call that has entered `invokeTool`. */
export interface EnteredCall {
  readonly call: ToolCall;
  /** The key of the call's outcome. All other keys of the call begin with it. */
  readonly at: string;
  readonly scope: CallScope;
  /** An earlier run of the turn may have carried the call further, so the journal is asked first. */
  readonly isKnown: boolean;
  /** Runs a function once the outcome of the call is on the tape. */
  readonly afterwards: (then: () => void) => void;
}

/** What a tool knows of its call, except for the members that exist only in this process. */
export interface KeptContext extends Pick<ToolContext, 'user' | 'callId' | 'channel' | 'page'> {
  readonly turnId: string;
  readonly conversationId: string;
}

/** A call whose tool exists and whose arguments fit. */
export interface CheckedCall extends EnteredCall {
  readonly tool: Tool;
  readonly argumentsValue: Readonly<Record<string, unknown>>;
  /** Whether the call counts as one that changes nothing. */
  readonly readOnly: boolean;
  /**
   * For whom the call runs, with the roles known at the moment of the answer. Left out: the caller as known when the
   * turn began.
   */
  readonly principal?: Principal;
  /** The call was approved, by its user or by a rule. */
  readonly isApproved?: true;
  /** An earlier process may have run the call: the call is made again unchanged. */
  readonly again?: KeptContext;
}

/** A call with its provenance, which decides whether the user must answer, and what the user is shown. */
export interface JudgedCall extends CheckedCall {
  readonly provenance: CallProvenance;
  /** How far the same call has come before. */
  readonly repeats?: RepeatedCall | undefined;
}
