/** Events that can be observed from outside the server. A fault strikes when one of them happens for the nth time. */
export const signals = [
  'the model is asked',
  'the model has said something',
  'the model has replied',
  'an action is about to run',
  'an action has run',
  'TurnStarted comes',
  'TextDelta comes',
  'ConfirmationRequested comes',
  'ConfirmationResolved comes',
  'ActionExecuting comes',
  'ActionCompleted comes',
  'TurnCompleted comes',
  'an approval is sent',
  'an approval is answered',
  'a decline is sent',
  'a decline is answered',
  'a stop is sent',
  'a stop is answered',
] as const;
export type Signal = (typeof signals)[number];

/** The nth time of an event in the life of a process, and a delay after it. */
export interface Moment<Name extends string = Signal> {
  readonly signal: Name;
  readonly nth: number;
  readonly delayMs: number;
}

/** Records the events. Calls back during an event when the awaited moment has come. */
export class Moments<Name extends string = Signal> {
  #awaited: { readonly moment: Moment<Name>; readonly strike: () => void } | undefined;
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Grows with every event. */
  activity = 0;

  /** Begins to count. */
  await(moment: Moment<Name>, strike: () => void): void {
    this.cancel();
    this.#awaited = { moment, strike };
    this.#count = 0;
  }

  cancel(): void {
    this.#awaited = undefined;
    clearTimeout(this.#timer);
  }

  note(signal: Name): void {
    this.activity += 1;
    const awaited = this.#awaited;
    if (awaited?.moment.signal !== signal) return;
    this.#count += 1;
    if (this.#count !== awaited.moment.nth) return;
    this.#awaited = undefined;
    if (awaited.moment.delayMs === 0) awaited.strike();
    else this.#timer = setTimeout(awaited.strike, awaited.moment.delayMs);
  }
}
