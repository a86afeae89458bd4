import type { InvocationMessage } from './hub-messages.ts';

/** What becomes of an event of the server, or of a call: its value is the answer. */
export type HubHandler = (...values: never[]) => unknown;

/**
 * Runs the handler of an event or a call, at once. The fault of an event's handler is its owner's and nobody else's; the
 * server hears of the fault of a call's.
 */
export async function runHandler(
  { arguments: values, invocationId }: InvocationMessage,
  handler: HubHandler | undefined,
  answer: (completion: object) => void,
): Promise<void> {
  const run = (): unknown => handler?.(...(values as never[])); // what a handler is given is between it and the server
  if ((invocationId ?? null) === null) {
    await run();
    return;
  }
  const complete = (outcome: object): void => answer({ type: 3, invocationId, ...outcome });
  try {
    if (handler === undefined) complete({ error: "Client didn't provide a result." });
    else complete({ result: (await run()) ?? null });
  } catch (error) {
    complete({ error: String(error) });
  }
}
