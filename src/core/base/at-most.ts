/** Resolves with `work`, or after `ms` milliseconds when `work` takes longer. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => {
    resolve(undefined);
  }, ms);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}
