import { TurnError } from '../errors/turn-error.ts';
import type { Guard, Verdict } from './text-check.ts';

/**
 * Lets a turn begin while its message is still being checked. The turn may look things up and ask the model. It shows nothing and calls no
 * tool until the message may pass (contract/guardrails.md#messages).
 */
export class InputGate {
  /** Aborts when the message is refused, and when the turn is stopped. */
  readonly signal: AbortSignal;
  /**
   * Resolves when the message may pass. Rejects with TurnError `unsafe_message` or `safety_check_unavailable`, or with what the check
   * throws.
   */
  readonly passed: Promise<void>;
  readonly #refused = new AbortController();
  #isOpen = false;

  /** `verdict` is the promise of a check that already runs. `stop` is the signal of the turn, which lives as long as the gate. */
  constructor(verdict: Promise<Verdict>, onFailure: Guard['onFailure'], stop: AbortSignal) {
    this.signal = this.#refused.signal;
    const onStop = (): void => {
      this.#refused.abort(stop.reason);
    };
    if (stop.aborted) onStop();
    else stop.addEventListener('abort', onStop, { once: true });
    this.passed = verdict.then((given) => {
      const fault = faultOf(given, onFailure);
      if (fault !== undefined) throw fault;
      this.#isOpen = true;
    });
    this.passed.catch((fault: unknown) => {
      this.#refused.abort(fault);
    });
  }

  /**
   * Wraps `show` so that pieces of a reply are held until the message may pass. Code that waits for `passed` after this call finds the held
   * pieces shown.
   */
  holding<Piece>(show: (piece: Piece) => void): (piece: Piece) => void {
    const held: Piece[] = [];
    const release = (): void => {
      for (const piece of held.splice(0)) show(piece);
    };
    void this.passed.then(release, () => undefined);
    return (piece) => {
      if (this.#isOpen && held.length === 0) show(piece);
      else held.push(piece);
    };
  }
}

function faultOf(verdict: Verdict, onFailure: Guard['onFailure']): TurnError | undefined {
  if (verdict === 'unsafe') return new TurnError('refused', 'unsafe_message', 'a check found the message unsafe');
  if (verdict === 'safe' || onFailure === 'Allow') return undefined;
  return new TurnError('refused', 'safety_check_unavailable', 'no check could say whether the message is safe', {
    retryable: true,
  });
}
