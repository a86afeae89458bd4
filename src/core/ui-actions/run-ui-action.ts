import { canonicalJson } from '../base/canonical-json.ts';
import { readPageAnswer } from './page-answer.ts';
import { pageSchemaFaults } from './page-schema.ts';
import { UiActionFault } from './ui-action-fault.ts';
import type { UiAction, UiActionRequest, UiActions } from '../request/ui-actions.ts';

/** Gives access to the page of the client that reads a turn. */
export interface PageReader {
  /** The page of the client that reads the turn now. Undefined when no client reads the turn, or when the client has no page. */
  readonly readerPage: UiActions | undefined;
  /** Sends the reply so far to the reader. */
  flush(): void;
}

/**
 * Asks the page of the connection that reads the turn now, once. The page must offer the action. With `declared`, the page
 * must still offer exactly the declared action; otherwise the approval does not apply. With `onlyReads` an action that may
 * change something is not run. Resolves to the answer as JSON.
 * @throws UiActionFault, or the signal's reason.
 */
export async function runUiAction(
  reader: PageReader,
  request: UiActionRequest & { readonly declared?: UiAction; readonly onlyReads?: boolean },
  signal: AbortSignal,
): Promise<unknown> {
  const { declared, onlyReads = false, ...asked } = request;
  const page = reader.readerPage;
  const offered = page?.offered.find(({ name }) => name === asked.name);
  if (page === undefined || offered === undefined) throw new UiActionFault('absent');
  if (declared !== undefined && canonicalJson(declared) !== canonicalJson(offered)) throw new UiActionFault('absent');
  if (onlyReads && !offered.readOnly) throw new UiActionFault('unasked-write');
  const faults = declared === undefined ? pageSchemaFaults(offered.parameters, asked.arguments) : [];
  if (faults.length > 0) throw new UiActionFault('failed', `The arguments do not fit: ${faults.join('; ')}`);
  // The page may read what the user was told so far, so that text is sent first.
  reader.flush();
  return readPageAnswer(await page.run(asked, signal));
}
