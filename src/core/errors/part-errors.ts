import { type LeftOutReason, type PartErrorCode, partErrorCodes } from './error-codes.ts';

/** What a caller is told of a part of the message that was not read. */
export interface PartError {
  readonly code: PartErrorCode;
  readonly message: string;
  readonly reason?: LeftOutReason;
}

/** Whether the code says that a part of the message was not read. It says nothing of how the turn ends. */
export function isPartError(code: string): code is PartErrorCode {
  const codes: readonly string[] = partErrorCodes;
  return codes.includes(code);
}

/** The warning that an `ErrorOccurred` brings. Undefined where the event is about something else. */
export function partErrorOf({
  code,
  message,
  reason,
}: {
  readonly code: string;
  readonly message: string;
  readonly reason?: LeftOutReason;
}): PartError | undefined {
  return isPartError(code) ? { code, message, ...(reason === undefined ? {} : { reason }) } : undefined;
}
