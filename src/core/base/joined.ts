/**
 * Waits for all promises, then gives their values, or throws the first fault in their order. No branch is left running
 * behind.
 */
export async function joined<Value>(branches: readonly Promise<Value>[]): Promise<Value[]> {
  await Promise.allSettled(branches);
  return Promise.all(branches);
}
