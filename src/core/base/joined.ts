/** Waits for all, then gives what they gave or the first fault in their order: no branch is ever left running behind. */
export async function joined<Value>(branches: readonly Promise<Value>[]): Promise<Value[]> {
  await Promise.allSettled(branches);
  return Promise.all(branches);
}
