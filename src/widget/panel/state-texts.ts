import type {
  ActionStatus,
  AnswerFailure,
  ConfirmationEntry,
  ConnectionStatus,
  Notice,
} from '../conversation/conversation-state.ts';
import { fill, type WidgetTexts } from '../texts/widget-texts.ts';

/** The words of a notice. */
export function noticeText(notice: Notice, texts: WidgetTexts, botName: string): string {
  switch (notice.type) {
    case 'server':
    case 'action':
      return notice.message;
    case 'interrupted':
      return texts.interrupted;
    case 'unreachable':
      return texts.unreachable;
    case 'signed-out':
      return texts.signInNeeded;
    case 'forbidden':
      return texts.forbidden;
    case 'failed':
      return texts.failed;
    case 'forgotten':
      return fill(texts.forgotten, { botName });
    case 'stopped':
      return texts.stopped;
    case 'stop-failed':
      return texts.stopFailed;
  }
}

/** The line of an action in the state it is in. */
export function actionText(status: 'running' | ActionStatus, texts: WidgetTexts): string {
  switch (status) {
    case 'running':
      return texts.actionRunning;
    case 'succeeded':
      return texts.actionSucceeded;
    case 'failed':
      return texts.actionFailed;
    case 'declined':
      return texts.actionDeclined;
    case 'refused':
      return texts.actionRefused;
    case 'cancelled':
      return texts.actionCancelled;
    case 'unknown':
      return texts.actionUnknown;
  }
}

/** What a decided question was about, and what became of that. */
export function decidedText({ request, outcome, run }: ConfirmationEntry, texts: WidgetTexts): string {
  const hasRun = run !== null && (outcome === 'approved' || outcome === 'gone');
  return hasRun ? fill(actionText(run.status, texts), { action: request.title }) : request.title;
}

/** How a confirmation ended, and whose doing that was; it stays readable in its box. */
export function outcomeText({ outcome, by }: Pick<ConfirmationEntry, 'outcome' | 'by'>, texts: WidgetTexts): string {
  switch (outcome) {
    case null:
      return '';
    case 'approved':
      if (by === 'rule') return texts.outcomeByRule;
      return by === 'me' ? texts.outcomeApproved : texts.outcomeApprovedElsewhere;
    case 'declined':
      return by === 'me' ? texts.outcomeDeclined : texts.outcomeDeclinedElsewhere;
    case 'expired':
      return texts.outcomeExpired;
    case 'cancelled':
      return texts.outcomeCancelled;
    case 'gone':
      return texts.outcomeGone;
  }
}

/** Why an answer did not count: the server's own words where it has any. */
export function failureText(failure: AnswerFailure, texts: WidgetTexts): string {
  switch (failure.type) {
    case 'unsent':
      return texts.answerFailed;
    case 'signed-out':
      return texts.signInNeeded;
    case 'refused':
      return fill(texts.answerRefused, { reason: failure.detail });
  }
}

/** Until when a question can be answered, in the user's own time. */
export function untilText(expiresAt: string, texts: WidgetTexts): string {
  return fill(texts.confirmUntil, { time: momentText(new Date(expiresAt), texts) });
}

/** A moment in the user's own time; the day is only named when it is another one. */
export function momentText(moment: Date, { timeLocale }: WidgetTexts): string {
  const isToday = moment.toDateString() === new Date().toDateString();
  return moment.toLocaleString(timeLocale, { timeStyle: 'short', ...(isToday ? {} : { dateStyle: 'medium' }) });
}

/** What the header says of the connection; nothing while there is nothing to say. */
export function connectionText(status: ConnectionStatus, texts: WidgetTexts): string {
  switch (status) {
    case 'idle':
    case 'connected':
      return '';
    case 'connecting':
      return texts.connecting;
    case 'reconnecting':
      return texts.reconnecting;
    case 'lost':
      return texts.connectionLost;
  }
}
