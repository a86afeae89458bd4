/** What a person can follow: so many lines at once, then so many a second. */
const linesAtOnce = 20;
const linesPerSecond = 10;

/**
 * An action's `progress` (contract/plugins.md#actions), which takes whatever a plugin gives it: texts and numbers are shown, nothing
 * else is, and of a flood most lines are dropped. Each of them would be an event for the client that waits for the reply.
 */
export function actionProgress(
  show: (text: string) => void,
  now: () => number = () => performance.now(),
): (text: unknown) => void {
  let allowance = linesAtOnce;
  let refilledAt = now();
  return (text) => {
    if ((typeof text !== 'string' || text === '') && typeof text !== 'number') return;
    const at = now();
    allowance = Math.min(linesAtOnce, allowance + ((at - refilledAt) / 1000) * linesPerSecond);
    refilledAt = at;
    if (allowance < 1) return;
    allowance -= 1;
    show(String(text));
  };
}
