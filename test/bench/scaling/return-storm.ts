import { reconnectDelay } from '../../../src/widget/transport/reconnect-delay.ts';

/** Milliseconds of one step of the model. */
const stepMs = 10;
const stepsOfSecond = 1_000 / stepMs;

/** Clients that have lost their connection at the same moment. */
export interface Loss {
  readonly clients: number;
  /** Milliseconds for which nobody takes connections. 0 where other replicas are there at once. */
  readonly awayMs: number;
  /** Connections a second that all replicas together can take afterwards. */
  readonly takenPerSecond: number;
}

/** How clients of the widget come back. */
export interface ReturnStorm {
  /** The most attempts that reach a replica in any one second. */
  readonly askedPerSecond: number;
  /** The longest that an attempt waits until a replica takes it, in milliseconds. Clients give up after 10 s. */
  readonly longestWaitMs: number;
  /** Milliseconds from the loss until all are back. */
  readonly backMs: number;
}

/**
 * Computes how clients come back, from the pauses of the widget itself. Each attempt before `awayMs` fails at once. Attempts wait in one
 * line, which all replicas take from. It holds as long as nobody waits so long that he gives up.
 */
export function returnStorm({ clients, awayMs, takenPerSecond }: Loss): ReturnStorm {
  const arrivals = arrivalsAfter(awayMs).map((share) => share * clients);
  const perStep = takenPerSecond / stepsOfSecond;
  let [waiting, mostWaiting, backAt, left] = [0, 0, 0, clients];
  for (const [step, arriving] of arrivals.entries()) {
    const before = waiting + arriving;
    // Less than half a client is nobody.
    if (before > 0 && (waiting > 0 || left >= 0.5)) backAt = step + before / perStep;
    left -= arriving;
    mostWaiting = Math.max(mostWaiting, before);
    waiting = Math.max(0, before - perStep);
    if (left < 0.5 && waiting === 0) break;
  }
  return {
    askedPerSecond: mostInASecond(arrivals),
    longestWaitMs: (mostWaiting / takenPerSecond) * 1_000,
    backMs: backAt * stepMs,
  };
}

/** The share of the clients whose attempt reaches a replica in each step. */
function arrivalsAfter(awayMs: number): number[] {
  const away = Math.round(awayMs / stepMs);
  // Nobody pauses longer than 40 s, and a line that takes longer than five minutes is no return.
  const steps = away + 300 * stepsOfSecond;
  const arrivals = new Array<number>(steps).fill(0);
  let failed: readonly number[] = [1];
  for (let attempt = 0; failed.some((share) => share > 0); attempt += 1) {
    const attempts = paused(failed, attempt);
    for (const [step, share] of attempts.entries())
      if (step >= away && step < steps) arrivals[step] = (arrivals[step] ?? 0) + share;
    failed = attempts.slice(0, away);
  }
  return arrivals;
}

/** When attempts are made whose clients begin their pause at these times. Each pause is as likely as any other between its least and its most. */
function paused(begins: readonly number[], attempt: number): number[] {
  const least = Math.round(reconnectDelay(attempt, false, () => 0) / stepMs);
  const width = Math.max(1, Math.round(reconnectDelay(attempt, false, () => 1) / stepMs) - least);
  const attempts = new Array<number>(begins.length + least + width - 1).fill(0);
  let inside = 0;
  for (let step = 0; step < begins.length + width - 1; step += 1) {
    inside += begins[step] ?? 0;
    inside -= begins[step - width] ?? 0;
    attempts[least + step] = Math.max(0, inside) / width;
  }
  return attempts;
}

function mostInASecond(arrivals: readonly number[]): number {
  let [sum, most] = [0, 0];
  for (const [step, arriving] of arrivals.entries()) {
    sum += arriving - (arrivals[step - stepsOfSecond] ?? 0);
    most = Math.max(most, sum);
  }
  return most;
}
