import { TurnError } from '../errors/turn-error.ts';
import type { Guard, Verdict } from './text-check.ts';

/**
 * What a turn does while its message is being checked: it looks things up and asks the model, but shows nothing and calls no tool until
 * the message may pass (contract/guardrails.md#messages).
 */
export class InputGate {
  /** Aborts when the message is refused. */
  readonly signal: AbortSignal;
  /** Resolves when the message may pass. @throws TurnError `unsafe_message` and `safety_check_unavailable`; what the check throws. */
  readonly passed: Promise<void>;
  readonly #refused = new AbortController();
  #isOpen = false;

  /** `verdict` is under way. */
  constructor(verdict: Promise<Verdict>, onFailure: Guard['onFailure']) {
    this.signal = this.#refused.signal;
    this.passed = verdict.then((given) => {
      const fault = faultOf(given, onFailure);
      if (fault !== undefined) throw fault;
      this.#isOpen = true;
    });
    this.passed.catch((fault: unknown) => {
      this.#refused.abort(fault);
    });
  }

  /** Passes pieces of text on, and holds them until the message may pass: who waits for `passed` after this call finds them shown. */
  holding(show: (piece: string) => void): (piece: string) => void {
    const held: string[] = [];
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
  return new TurnError('refused', 'safety_check_unavailable', 'no check could say whether the message is safe');
}
