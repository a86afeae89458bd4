import { canonicalJson } from '../confirmations/canonical-json.ts';
import type { LiveTurn } from '../turn/live-turn.ts';
import { pageSchemaFaults } from './page-schema.ts';
import { UiActionFault } from './ui-action-fault.ts';
import type { UiAction, UiActionRequest } from './ui-actions.ts';

/** Largest answer of a page, in bytes of JSON (wire.md 3). */
const maxAnswerBytes = 64 * 1024;

/**
 * Asks the page of the connection that reads the turn now, once. It must offer the action, and `declared`, where it was the
 * model that chose, must be what it offers to the letter: what was approved, or needs no approval, is that and nothing else.
 * With `onlyReads` an action that may change something is not run. Resolves to the answer as JSON.
 * @throws UiActionFault, or the signal's reason.
 */
export async function runUiAction(
  turn: LiveTurn,
  request: Omit<UiActionRequest, 'turnId'> & { readonly declared?: UiAction; readonly onlyReads?: boolean },
  signal: AbortSignal,
): Promise<unknown> {
  const { declared, onlyReads = false, ...asked } = request;
  const page = turn.events.readerPage;
  const offered = page?.offered.find(({ name }) => name === asked.name);
  if (page === undefined || offered === undefined) throw new UiActionFault('absent');
  if (declared !== undefined && canonicalJson(declared) !== canonicalJson(offered)) throw new UiActionFault('absent');
  if (onlyReads && !offered.readOnly) throw new UiActionFault('unasked-write');
  const faults = declared === undefined ? pageSchemaFaults(offered.parameters, asked.arguments) : [];
  if (faults.length > 0) throw new UiActionFault('failed', `The arguments do not fit: ${faults.join('; ')}`);
  // The page may look at what the user was told so far.
  turn.events.flush();
  return readAnswer(await page.run({ turnId: turn.id, ...asked }, signal));
}

function readAnswer(answer: unknown): unknown {
  let text: string | undefined;
  try {
    // Undefined has no JSON: a page that answers nothing has answered null. MessagePack brings what has none at all.
    text = JSON.stringify(answer ?? null);
  } catch {
    throw new UiActionFault('unreadable');
  }
  if (Buffer.byteLength(text) > maxAnswerBytes) throw new UiActionFault('unreadable');
  return JSON.parse(text);
}
