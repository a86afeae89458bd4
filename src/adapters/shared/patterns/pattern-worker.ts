import { parentPort } from 'node:worker_threads';
import recheck from 'recheck/lib/browser.js';
import type { Growth, PatternAnswer, PatternQuestion } from './pattern-questions.ts';

/** Milliseconds of CPU time for one pattern. A pattern that is undecided by then is refused. */
const longestCheckMs = 10_000;

// The checker reads its time limit here. By the clock, a busy machine would refuse patterns that a quiet one takes.
performance.now = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** Answers each pattern with the growth of the time to match it. */
parentPort?.on('message', ({ id, pattern }: PatternQuestion) => {
  const answer: PatternAnswer = { id, growth: growthOf(pattern) };
  parentPort?.postMessage(answer);
});

function growthOf(pattern: string): Growth {
  const checked = recheck.checkSync(pattern, 'u', { timeout: longestCheckMs });
  if (checked.status === 'unknown') return { kind: 'unknown' };
  if (checked.status === 'safe') return { kind: 'linear' };
  const { complexity } = checked;
  return complexity.type === 'polynomial' ? { kind: 'polynomial', degree: complexity.degree } : { kind: 'exponential' };
}
