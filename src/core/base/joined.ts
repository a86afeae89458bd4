/**
 * Waits until all promises have settled. Then gives their values, or throws the fault of the first promise that failed, in the order of the
 * list. No branch is left running.
 */
export async function joined<Value>(branches: readonly Promise<Value>[]): Promise<Value[]> {
  await Promise.allSettled(branches);
  return Promise.all(branches);
}
