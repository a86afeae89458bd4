/** A line of the security log, with the members and values that the log has (contract/operations.md#security-log). */
export interface SecurityLogLine {
  readonly time: string;
  readonly level: 'info' | 'warn';
  readonly message: string;
  /** What happened, such as `authentication_failed`. */
  readonly what: string;
  readonly reason: string;
  /** A user key, the keyed hash of an address, or `anonymous`. */
  readonly who: string;
  /** The method and the route, without a query. */
  readonly request?: string;
  readonly requestId?: string | undefined;
  readonly session?: string;
  readonly turnId?: string;
  readonly conversationId?: string;
  readonly actionId?: string;
  readonly callId?: string;
  readonly action?: string;
  /** How many events of this kind got no line before this one. */
  readonly leftOut?: number;
}

/** The body of `GET /helper/admin/security-log`: newest first. */
export interface SecurityLogLines {
  readonly lines: readonly SecurityLogLine[];
}
