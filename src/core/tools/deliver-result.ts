import { checkCard } from '../cards/check-card.ts';
import { randomId } from '../identity/random-id.ts';
import { resolvePageUrl } from '../pages/resolve-page-url.ts';
import { delimited } from '../prompt/delimited.ts';
import type { LiveTurn } from '../turn/live-turn.ts';
import { untilStopped } from '../turn/until-stopped.ts';
import { runUiAction } from '../ui-actions/run-ui-action.ts';
import { outcomeOfFault, UiActionFault } from '../ui-actions/ui-action-fault.ts';
import { modelText } from './model-text.ts';
import type { Tool, ToolResult } from './tool.ts';
import type { ToolInvocation } from './tool-invocation.ts';
import { type ToolOutcome, outcomeText } from './tool-outcome.ts';
import { mayRun } from './tool-policy.ts';

/** A call that has run. */
interface RunCall {
  readonly tool: Tool;
  readonly callId: string;
  /** It counts as one that changes nothing: what it asks of a page must not either. */
  readonly readOnly: boolean;
}

/**
 * Shows the card, sends the navigation, asks the page, and words the result for the model (extending.md 1, service.md 2.8).
 * The action ran: whatever goes wrong here, it has succeeded. Only `navigate_to_page` does nothing else. Never rejects.
 */
export async function deliverResult(
  call: RunCall,
  result: ToolResult,
  invocation: ToolInvocation,
): Promise<ToolOutcome> {
  const { services, turn } = invocation;
  const { tool } = call;
  try {
    if (result.card !== undefined && services.enableGenerativeCards) showCard(tool, result.card, invocation);
    const refusal = result.navigate === undefined ? undefined : navigate(result.navigate, invocation);
    if (refusal !== undefined && tool.source === 'built-in') return refusal;
    const returned = result.uiAction === undefined ? result.value : await answerOfPage(call, result.uiAction, turn);
    if (returned instanceof UiActionFault) return { status: 'succeeded', text: notDoneByPage(returned) };
    const value = await untilStopped(services.transformResult(tool.name, returned), turn.signal);
    const note =
      refusal === undefined ? '' : `\n[The action ran, but the user was not sent to a page: ${refusal.text}]`;
    const isOfPage = result.uiAction !== undefined || tool.source === 'page';
    return { status: 'succeeded', text: (isOfPage ? delimited('answer of the page', value) : modelText(value)) + note };
  } catch (error) {
    if (!turn.signal.aborted)
      services.log.error({ error, tool: tool.name }, 'a result could not be delivered and was withheld');
    return { status: 'succeeded', text: outcomeText.withheld };
  }
}

/** The page's answer, or why there is none. */
async function answerOfPage(
  { callId, readOnly }: RunCall,
  uiAction: NonNullable<ToolResult['uiAction']>,
  turn: LiveTurn,
): Promise<unknown> {
  try {
    return await runUiAction(turn, { callId, ...uiAction, onlyReads: readOnly }, turn.signal);
  } catch (error) {
    if (error instanceof UiActionFault) return error;
    throw error;
  }
}

function notDoneByPage(fault: UiActionFault): string {
  return `[The action ran, and asked the user's page for something. ${outcomeOfFault(fault, false).text}]`;
}

function showCard(tool: Tool, card: unknown, invocation: ToolInvocation): void {
  const check = checkCard(card, invocation.services.cardImageHosts);
  if (check.ok) {
    invocation.turn.events.emit({ type: 'card-ready', cardId: randomId(), card: check.card });
    return;
  }
  invocation.services.log.warn({ tool: tool.name, reason: check.reason }, 'a card was dropped');
}

function navigate(target: NonNullable<ToolResult['navigate']>, invocation: ToolInvocation): ToolOutcome | undefined {
  const page = invocation.toolbox.pages.find(({ name }) => name === target.page);
  if (page === undefined) return { status: 'failed', text: `There is no page named ${JSON.stringify(target.page)}.` };
  if (!mayRun(page, invocation.principal.roles)) {
    return { status: 'refused', text: 'The user does not have the role this page requires. They were not sent there.' };
  }
  const resolved = resolvePageUrl(page.url, target.params);
  if (!resolved.ok) return { status: 'failed', text: resolved.fault };
  invocation.turn.events.emit({
    type: 'navigation-requested',
    page: page.name,
    url: resolved.url,
    title: page.title,
  });
  return undefined;
}
