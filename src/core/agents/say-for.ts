import type { TurnScope } from '../calls/call-scope.ts';
import { isHeld } from '../guardrails/held-reply.ts';
import type { ToolOutcome } from '../tools/tool-outcome.ts';
import { tellText } from '../record/say-text.ts';

/** What an agent says that was not shown while it was read. */
export interface Unsaid {
  readonly agent: string;
  readonly text: string;
}

/** Shows the text of an agent as a paragraph of its own, once, whichever process of the turn does so. A held reply is shown later. */
async function sayFor({ record, events }: TurnScope, at: string, unsaid: Unsaid): Promise<void> {
  const key = `${at}/spoken`;
  await record.step(key, () => {
    if (!isHeld(record)) tellText(events, key, unsaid);
    return Promise.resolve(unsaid);
  });
}

/** Shows what several agents say, one after the other. */
export async function sayAll(turn: TurnScope, at: string, all: readonly Unsaid[]): Promise<void> {
  for (const [index, unsaid] of all.entries())
    await sayFor(turn, index === 0 ? at : `${at}/part/${String(index)}`, unsaid);
}

/** Says what an agent said while another one spoke. Called in the order of the calls, when all of them have ended. */
export async function sayUnsaid(
  outcomes: readonly { readonly at: string; readonly outcome: ToolOutcome }[],
  turn: TurnScope,
): Promise<void> {
  for (const { at, outcome } of outcomes) await sayAll(turn, at, outcome.unsaid ?? []);
}
