/**
 * Every code a client can meet (contract/errors.md). The two lists are kept apart because only the first kind has an HTTP status:
 * the second ends a turn inside an event stream that has already begun.
 */

/** Codes of an HTTP answer. Each wire owns its own table from code to status. */
export type RequestErrorCode =
  | 'invalid_request'
  | 'forbidden'
  | 'unauthenticated'
  | 'not_owner'
  | 'not_found'
  | 'unknown_connection'
  | 'nothing_to_answer'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'snapshot_refused'
  | 'turn_in_progress'
  | 'payload_too_large'
  | 'not_json'
  | 'rate_limited'
  | 'uri_too_long'
  | 'internal'
  | 'server_draining'
  | 'overloaded'
  | 'storage_unavailable'
  | 'cluster_unavailable';

/** Codes of a turn that did not simply complete, carried by `ErrorOccurred` and `TurnCompleted`. */
export type TurnErrorCode =
  | 'message_too_long'
  | 'unsafe_message'
  | 'safety_check_unavailable'
  | 'out_of_scope'
  | 'reply_withheld'
  | 'too_many_images'
  | 'image_too_large'
  | 'too_many_files'
  | 'file_too_large'
  | 'file_unreadable'
  | 'rate_limited'
  | 'budget_exceeded'
  | 'invalid_request'
  | 'overloaded'
  | 'turn_in_progress'
  | 'resend_refused'
  | 'server_draining'
  | 'model_unavailable'
  | 'model_timeout'
  | 'model_refused'
  | 'model_misconfigured'
  | 'model_quota_exceeded'
  | 'model_no_reply'
  | 'reply_cut'
  | 'tool_loop_limit'
  | 'interrupted'
  | 'internal';

/**
 * Why a credential was not accepted. The reason is for the security log. Callers are told less. `wrong_token` stands for a token that
 * belongs to no user, such as `endpoints.metrics.token`, and for what a plugin does not know. `no_user` stands for a valid token that names neither a user nor a client.
 */
export type CredentialFault =
  | 'missing'
  | 'expired'
  | 'not_yet_valid'
  | 'audience'
  | 'issuer'
  | 'claims'
  | 'signature'
  | 'algorithm'
  | 'malformed'
  | 'wrong_token'
  | 'no_user';

/** Which limit of a caller was reached (contract/limits.md), for the security log. */
export type CallerLimit =
  'request_rate' | 'requests' | 'uploads' | 'unread' | 'connections' | 'turns' | 'message_rate' | 'budget';

/** Why somebody was not let in, or not let do more. Callers are told less. */
export type RefusalReason = CredentialFault | CallerLimit | 'role' | 'tenant' | 'origin' | 'host';

/**
 * Why a conversation cannot be saved or put back (contract/sessions.md#snapshots). The reason is for the metrics. Callers read a sentence
 * instead.
 */
export type SnapshotFault =
  | 'other_application'
  | 'other_user'
  | 'other_version'
  | 'other_history'
  | 'unknown_key'
  | 'not_a_snapshot'
  | 'damaged'
  | 'too_old'
  | 'deleted'
  | 'erased'
  | 'too_large';

/** Why the caller may not use something (contract/identity.md#whose-it-is). */
export type OwnerFault = 'unauthenticated' | 'not_owner';

/** Codes of `ErrorOccurred` that end no turn. One action went wrong, and the assistant goes on. */
export type ActionErrorCode = 'action_failed' | 'action_unavailable' | 'question_not_stored';

/** Codes of `ErrorOccurred` that end no turn either. A part of what the user sent was not read. */
export type PartErrorCode = (typeof partErrorCodes)[number];

/** All codes of `ErrorOccurred` that say that a part of what the user sent was not read. */
export const partErrorCodes = ['file_cut', 'image_type_dropped', 'file_type_dropped'] as const;

/** Codes of `TurnStarted.warnings`. A part of the message was left out, and the turn runs all the same. */
export type TurnWarningCode = Exclude<PartErrorCode, 'file_cut'>;

/** Why a part of a message was left out: its kind is switched off, it is no picture that can be read, or its type is not taken. */
export type LeftOutReason = 'disabled' | 'no_image' | 'type';
