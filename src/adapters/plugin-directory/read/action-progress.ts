/** How many lines a person can follow: this number at once, and then the next number each second. */
const linesAtOnce = 20;
const linesPerSecond = 10;

/**
 * An action's `progress` (contract/plugins.md#actions). It accepts every value from a plugin, but shows only texts and numbers. When too
 * many lines come, most of them are dropped, because each line is an event for the client that waits for the reply.
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
