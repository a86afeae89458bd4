import type { LiveTurns } from '../../core/ports/metrics.ts';

/** Numbers for a server in which nothing is under way. */
export const noTurns: LiveTurns = {
  runningTurns: { hub: 0, sse: 0, 'in-process': 0, openai: 0, a2a: 0, agui: 0 },
  openQuestions: 0,
  oldestQuestionMs: 0,
};

/** Adds the numbers of some callers to those of others. */
export function together(one: LiveTurns, other: LiveTurns): LiveTurns {
  const [some, more] = [one.runningTurns, other.runningTurns];
  return {
    runningTurns: {
      hub: some.hub + more.hub,
      sse: some.sse + more.sse,
      'in-process': some['in-process'] + more['in-process'],
      openai: some.openai + more.openai,
      a2a: some.a2a + more.a2a,
      agui: some.agui + more.agui,
    },
    openQuestions: one.openQuestions + other.openQuestions,
    oldestQuestionMs: Math.max(one.oldestQuestionMs, other.oldestQuestionMs),
  };
}
