import { randomId } from '../base/random-id.ts';
import { untilStopped } from '../base/until-stopped.ts';
import { checkCard } from '../cards/check-card.ts';
import { resolvePageUrl } from '../pages/resolve-page-url.ts';
import { delimited } from '../prompt/delimited.ts';
import { contentText } from '../tools/content-part.ts';
import { modelText } from '../tools/model-text.ts';
import type { ToolResult } from '../tools/tool.ts';
import {
  cardShownNote,
  outcomeOfServer,
  outcomeText,
  provenanceOfResult,
  type ShownByCall,
  type ToolOutcome,
} from '../tools/tool-outcome.ts';
import { mayRun } from '../tools/tool-policy.ts';
import { runUiAction } from '../ui-actions/run-ui-action.ts';
import { outcomeOfFault, UiActionFault } from '../ui-actions/ui-action-fault.ts';
import type { CheckedCall } from './tool-call.ts';

/**
 * Collects the card and the navigation, asks the page, and words the result for the model (contract/plugins.md#results,
 * contract/errors.md#faults-of-actions). The action has run by now, so it has succeeded whatever goes wrong here. The
 * one exception is `navigate_to_page`, which does nothing but navigate. Never rejects.
 */
export async function deliverResult(call: CheckedCall, result: ToolResult): Promise<ToolOutcome> {
  const { tool, scope } = call;
  const { services, turn } = scope;
  const shown: ShownByCall[] = [];
  try {
    const card = result.card === undefined ? undefined : cardOf(result.card, call);
    if (card !== undefined) shown.push(card);
    const target = result.navigate === undefined ? undefined : navigation(result.navigate, call);
    const refusal = target !== undefined && 'status' in target ? target : undefined;
    if (target !== undefined && 'type' in target) shown.push(target);
    if (refusal !== undefined && tool.source === 'built-in') return refusal;
    const returned = result.uiAction === undefined ? result.value : await answerOfPage(call, result.uiAction);
    if (returned instanceof UiActionFault) return { ...notDoneByPage(returned), shown };
    const value = await untilStopped(services.transformResult(tool.name, returned), turn.signal);
    const notes = [
      ...(card === undefined ? [] : [cardShownNote]),
      ...(refusal === undefined ? [] : [`[The action ran, but the user was not sent to a page: ${refusal.text}]`]),
    ];
    const wordsOf = result.isContent === true ? contentText : modelText;
    const isOfPage = result.uiAction !== undefined || tool.source === 'page';
    const text = [isOfPage ? delimited('answer of the page', value) : wordsOf(value), ...notes].join('\n');
    return { status: 'succeeded', text, ...provenanceOfResult(tool, isOfPage), shown };
  } catch (error) {
    if (!turn.signal.aborted)
      services.log.error({ error, tool: tool.name }, 'a result could not be delivered and was withheld');
    return outcomeOfServer('succeeded', outcomeText.withheld, shown);
  }
}

/** The answer of the page, or the reason why the page gave none. */
async function answerOfPage(
  { call, readOnly, scope }: CheckedCall,
  uiAction: NonNullable<ToolResult['uiAction']>,
): Promise<unknown> {
  const { turn } = scope;
  const request = { turnId: turn.id, callId: call.callId, ...uiAction, onlyReads: readOnly };
  try {
    return await runUiAction(turn.events, request, turn.signal);
  } catch (error) {
    if (error instanceof UiActionFault) return error;
    throw error;
  }
}

function notDoneByPage(fault: UiActionFault): ToolOutcome {
  const { text, ...provenance } = outcomeOfFault(fault, false);
  const told = `[The action ran, and asked the user's page for something. ${text}]`;
  return { ...provenance, status: 'succeeded', text: told };
}

function cardOf(card: unknown, { tool, scope }: CheckedCall): ShownByCall | undefined {
  const { enableGenerativeCards, cardHosts, log } = scope.services;
  if (!enableGenerativeCards || scope.turn.request.channel.isTextOnly) return undefined;
  const check = checkCard(card, cardHosts);
  if (check.ok) return { type: 'card-ready', cardId: randomId(), card: check.card };
  log.warn({ tool: tool.name, reason: check.reason }, 'a card was dropped');
  return undefined;
}

function navigation(target: NonNullable<ToolResult['navigate']>, { scope }: CheckedCall): ShownByCall | ToolOutcome {
  const page = scope.agent.toolbox.pages.find(({ name }) => name === target.page);
  if (page === undefined) return outcomeOfServer('failed', `There is no page named ${JSON.stringify(target.page)}.`);
  if (!mayRun(page, scope.turn.request.caller.principal)) {
    const text = 'The user does not have the role this page requires. They were not sent there.';
    return outcomeOfServer('refused', text);
  }
  const resolved = resolvePageUrl(page.url, target.params);
  if (!resolved.ok) return outcomeOfServer('failed', resolved.fault);
  return { type: 'navigation-requested', page: page.name, url: resolved.url, title: page.title };
}
