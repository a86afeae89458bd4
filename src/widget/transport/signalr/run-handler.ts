import type { InvocationMessage } from './hub-messages.ts';

/** Handles an event or a call of the server. Its value answers a call. */
export type HubHandler = (...values: never[]) => unknown;

/**
 * Runs the handler of an event or a call at once. A fault of an event's handler is thrown to its owner. A fault of a call's handler goes
 * to the server.
 */
export async function runHandler(
  { arguments: values, invocationId }: InvocationMessage,
  handler: HubHandler | undefined,
  answer: (completion: object) => void,
): Promise<void> {
  const run = (): unknown => handler?.(...(values as never[])); // the handler and the server agree on the values
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
