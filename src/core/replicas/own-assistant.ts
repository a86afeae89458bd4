import type { Assistant } from '../assistant.ts';
import type { TurnsHere } from './turn-places.ts';

/** The assistant of this process, with what other replicas ask of it. */
export interface OwnAssistant extends Assistant, TurnsHere {
  readonly draining: boolean;
  followTurn: Assistant['followTurn'];
  /** As `TakeUp.leaveOut`. */
  readonly leaveOut: (isLeft: (turnId: string) => boolean) => void;
}
