import type { TurnErrorCode } from '../errors/error-codes.ts';

/** What the server itself says to users, in one language. A missing text does not compile. */
export interface ServerTexts {
  /** The step of the onboarding tour about what can be asked for. */
  readonly tourActionsTitle: string;
  /** `{actions}` is a list of titles. */
  readonly tourActionsText: string;
  /** By code of wire.md 8. `{max}` is a number. */
  readonly errors: Readonly<Record<TurnErrorCode, string>>;
  /** The fixed text of service.md 2.8, `OnException`. */
  readonly actionFailed: string;
  /** The system behind an action is away (wire.md 10, `action_unavailable`). */
  readonly actionUnavailable: string;
  /** An interrupted write (wire.md 5, `unknown`). */
  readonly actionUnknown: string;
  /** A call for which its user has no role (service.md 5.8). `{roles}` are its names. */
  readonly roleMissing: string;
  /** The kill switch has stopped an action. */
  readonly actionSwitchedOff: string;
}
