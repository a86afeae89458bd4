import { reconnectDelay } from '../../../src/widget/transport/reconnect-delay.ts';
import { defaultTimings } from '../../../src/widget/transport/signalr/hub-timings.ts';
import { mostInASecond } from '../report/most-in-a-second.ts';
import type { Loss, ReturnStorm } from './return-storm.ts';

/** What one played loss has shown. */
export interface PlayedReturn extends ReturnStorm {
  /** Attempts whose client gave up before a replica took them. */
  readonly givenUp: number;
  /** How many came to each replica. */
  readonly byReplica: readonly number[];
}

export interface PlayedLoss extends Loss {
  /** How many replicas take connections after the loss. */
  readonly replicas: number;
  /** Numbers between 0 and 1. */
  readonly random: () => number;
}

interface Attempt {
  readonly at: number;
  readonly number: number;
}

/**
 * Plays every attempt of every client: the widget's own pauses, a balancer that takes turns between the replicas, and in each replica a line
 * in which one connection is taken after the other. A client whose connection is not open in time tries again after its next pause.
 */
export function playReturn({ clients, awayMs, takenPerSecond, replicas, random }: PlayedLoss): PlayedReturn {
  const takeMs = (1_000 * replicas) / takenPerSecond;
  const freeAt = new Array<number>(replicas).fill(awayMs);
  const byReplica = new Array<number>(replicas).fill(0);
  const reached: number[] = [];
  let [next, longestWaitMs, backMs, givenUp] = [0, 0, 0, 0];
  let attempts = Array.from({ length: clients }, (): Attempt => ({ at: reconnectDelay(0, false, random), number: 1 }));
  const again = ({ at, number }: Attempt): Attempt => ({
    at: at + reconnectDelay(number, false, random),
    number: number + 1,
  });
  while (attempts.length > 0) {
    attempts.sort((left, right) => left.at - right.at);
    const [first] = attempts;
    // Whoever tries again does so later than this, so attempts until then are in their order.
    const until = (first?.at ?? 0) + reconnectDelay(1, false, () => 0);
    const later: Attempt[] = [];
    for (const attempt of attempts) {
      if (attempt.at >= until) {
        later.push(attempt);
      } else if (attempt.at < awayMs) {
        later.push(again(attempt));
      } else {
        const replica = next++ % replicas;
        const takenAt = Math.max(attempt.at, freeAt[replica] ?? 0) + takeMs;
        reached.push(attempt.at);
        const waitMs = takenAt - attempt.at;
        if (waitMs > defaultTimings.openMs) {
          givenUp += 1;
          later.push(again({ ...attempt, at: attempt.at + defaultTimings.openMs }));
          continue;
        }
        freeAt[replica] = takenAt;
        byReplica[replica] = (byReplica[replica] ?? 0) + 1;
        longestWaitMs = Math.max(longestWaitMs, waitMs);
        backMs = Math.max(backMs, takenAt);
      }
    }
    attempts = later;
  }
  return { askedPerSecond: mostInASecond(reached), longestWaitMs, backMs, givenUp, byReplica };
}
