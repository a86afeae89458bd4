import type { ConfirmationRequestedFields, Influence, RemainingBudget } from '../../wire/hub-events.ts';
import type { AnswerFailure, ConfirmationEntry, Notice } from '../conversation/conversation-state.ts';
import { coordinator, isNamed } from '../conversation/agents-at-work.ts';
import { fillCounted } from '../texts/fill-counted.ts';
import { fill, type WidgetTexts } from '../texts/widget-texts.ts';
import { worded } from './worded.ts';

/** The words of a notice. */
export function noticeText(notice: Notice, texts: WidgetTexts, botName: string): string {
  return 'message' in notice ? notice.message : fill(texts.notice[notice.type], { botName });
}

/** Says when the budget is renewed, in the user's own time. Empty without a budget. */
export function renewalText(budget: Pick<RemainingBudget, 'resetsAt'> | undefined, texts: WidgetTexts): string {
  return budget ? fill(texts.budgetResets, { time: momentText(new Date(budget.resetsAt), texts) }) : '';
}

/** The text for a decided question: how its action runs or has ended. For an action that did not run, the title of the question. */
export function decidedText({ request, outcome, run }: ConfirmationEntry, texts: WidgetTexts): string {
  const { title } = worded(request, texts);
  const hasRun = run !== null && (outcome === 'approved' || outcome === 'gone');
  return hasRun ? fill(texts.action[run.status], { action: title }) : title;
}

/** The name of who says a part of a reply. The coordinator, and whoever is not named, is the assistant itself. */
export function speakerName(speaker: string | undefined, botName: string): string {
  return speaker === undefined || speaker === coordinator ? botName : speaker;
}

/** Says which agents work now. Empty when there is none. */
export function workingText(names: readonly string[], { working, locale }: WidgetTexts): string {
  if (names.length === 0) return '';
  const agents = new Intl.ListFormat(locale).format(names);
  return fill(fillCounted(working, { count: names.length }, locale), { agents });
}

/** Names the agent that asks. Empty where that is the coordinator. */
export function askerText({ agent }: Pick<ConfirmationRequestedFields, 'agent'>, { askedBy }: WidgetTexts): string {
  return isNamed(agent) ? fill(askedBy, { agent }) : '';
}

type Read = Pick<ConfirmationRequestedFields, 'influencedBy'>;
type Asked = Read & Pick<ConfirmationRequestedFields, 'arguments' | 'reason'>;

/** The texts that the assistant has read, as people know them. */
export function sourceTexts({ influencedBy = [] }: Read, texts: WidgetTexts): readonly string[] {
  return [...new Set(influencedBy.filter(({ silent }) => !silent).map((influence) => sourceText(influence, texts)))];
}

function sourceText({ origin, title }: Influence, { origins, originNamed }: WidgetTexts): string {
  const kind = origins[origin] ?? '';
  return title === undefined ? kind : fill(originNamed, { kind, title });
}

/** One sentence that says which values come from where. Empty where all values are from the user or from trusted sources. */
export function foreignText({ influencedBy = [], arguments: all }: Asked, texts: WidgetTexts): string {
  const { foreignValues, unknownSource, locale } = texts;
  const values = all.flatMap(({ name, label, notFromUser }) => {
    const found = influencedBy.filter(({ foundIn = [] }) => foundIn.includes(name));
    const sources = [...new Set(found.map((influence) => sourceText(influence, texts)))];
    if (sources.length === 0 && !notFromUser) return [];
    return [`${label} (${sources.join(', ') || unknownSource})`];
  });
  return values.length === 0 ? '' : fill(foreignValues, { values: new Intl.ListFormat(locale).format(values) });
}

/** Which values come from where, and who runs the action if it is not this server. */
export function originText(request: Asked, texts: WidgetTexts): string {
  const foreign = foreignText(request, texts);
  const isSaid = foreign !== '' && request.reason === 'influenced';
  return [foreign, isSaid ? '' : texts.reasons[request.reason]].filter(Boolean).join(' ');
}

/** Says that the same was done, tried or asked for a moment ago. Empty where it was not. */
export function repeatedText({ repeats }: Pick<ConfirmationRequestedFields, 'repeats'>, texts: WidgetTexts): string {
  if (repeats === undefined) return '';
  return fill(texts.repeats[repeats.state], { time: momentText(new Date(repeats.at), texts) });
}

/** How a confirmation ended and who decided it. The text stays in the question's box. */
export function outcomeText({ outcome, by }: Pick<ConfirmationEntry, 'outcome' | 'by'>, texts: WidgetTexts): string {
  if (outcome === null) return '';
  if (outcome === 'approved' && by === 'rule') return texts.outcome.approvedByRule;
  const isAnswered = outcome === 'approved' || outcome === 'declined';
  return texts.outcome[isAnswered && by !== 'me' ? (`${outcome}Elsewhere` as const) : outcome];
}

/** Why an answer did not count, in the server's own words where it gives any. */
export function failureText(failure: AnswerFailure, texts: WidgetTexts): string {
  if (failure.type === 'refused') return fill(texts.answerRefused, { reason: failure.detail });
  return failure.type === 'unsent' ? texts.answerFailed : texts.notice['signed-out'];
}

/** The text that says until when a question can be answered, in the user's own time zone. */
export function untilText(expiresAt: string, texts: WidgetTexts): string {
  return fill(texts.confirmUntil, { time: momentText(new Date(expiresAt), texts) });
}

/** A moment in the user's own time zone. The day is added unless it is today. */
export function momentText(moment: Date, { timeLocale }: WidgetTexts): string {
  const isToday = moment.toDateString() === new Date().toDateString();
  return moment.toLocaleString(timeLocale, { timeStyle: 'short', ...(isToday ? {} : { dateStyle: 'medium' }) });
}
