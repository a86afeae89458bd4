import { coordinatorName } from '../../agents/coordinator-name.ts';
import type { RecordedReply } from '../../agents/recorded-reply.ts';
import type { TurnErrorCode } from '../../errors/error-codes.ts';
import { TurnError, type UnreadableFile } from '../../errors/turn-error.ts';
import type { RemainingBudget, TurnEvent, TurnStatus } from '../../events/turn-event.ts';
import { errorText, momentText, tryAgainText } from '../../language/texts.ts';
import type { ServerTexts } from '../../language/server-texts.ts';
import { ModelError } from '../../ports/chat-model.ts';
import type { LiveTurn } from '../live/live-turn.ts';
import { TurnStopped } from '../live/turn-stopped.ts';
import type { StopReason } from '../live/turn.ts';
import type { TurnServices } from '../live/turn-services.ts';

/** How a turn ended, as its record has it. */
export interface End {
  readonly status: TurnStatus;
  readonly error?: {
    readonly code: TurnErrorCode;
    readonly retryable: boolean;
    /** Only for `message_too_long`: the message exceeds the window of the model, not `maxMessageLength`. */
    readonly isOverWindow?: true;
    /** Only for `budget_exceeded`. */
    readonly budget?: RemainingBudget;
    /** Seconds after which the message is let through. Only for `rate_limited`. */
    readonly retryAfter?: number;
    /** Only for `file_unreadable`. */
    readonly file?: UnreadableFile;
  };
  /** Epoch milliseconds. */
  readonly at: number;
  readonly durationMs: number;
}

/** The end of a turn that completed its reply. The user is told of a reply that its length limit has cut. */
export function completed(turn: LiveTurn, services: TurnServices): End {
  const error = isCut(turn.record) ? { error: { code: 'reply_cut', retryable: false } as const } : {};
  return { status: 'completed', ...error, ...times(turn, services) };
}

/** Whether what was said stands: the turn was completed, also with a reply that was cut, or its user has stopped it. */
export function wordsStand({ status }: Pick<End, 'status'>): boolean {
  return status === 'completed' || status === 'stopped';
}

/** Whether the last words of the turn were cut, and stand. */
function isCut(record: LiveTurn['record']): boolean {
  let last = false;
  const ofAgents = `${coordinatorName}/`;
  for (const [key, value] of record.entries()) {
    if (!key.startsWith(ofAgents)) continue;
    if (key.endsWith('/replaced')) last = false;
    else if (key.endsWith('/model')) last = (value as RecordedReply).finish === 'length'; // recorded by `askModel`
  }
  return last;
}

/** The end of a turn that broke off. A failure is logged here. `server_draining` is not: the log line of each turn names it. */
export function endOf(fault: unknown, turn: LiveTurn, services: TurnServices): End {
  const error = errorOf(fault, turn.stopReason);
  if (error === undefined) return { status: 'stopped', ...times(turn, services) };
  const { status, code, retryable } = error;
  if (status === 'failed' && code !== 'server_draining') {
    // `interrupted` means that an earlier process ended. A stack of this process would explain nothing.
    const cause = code === 'interrupted' ? {} : told(error);
    services.calls.log.warn({ turnId: turn.id, code, ...cause }, 'turn failed');
  }
  const overWindow = error.isOverWindow ? { isOverWindow: true as const } : {};
  const budget = error.budget === undefined ? {} : { budget: error.budget };
  const { retryAfterMs, file } = error;
  const retryAfter = retryAfterMs === undefined ? {} : { retryAfter: Math.ceil(retryAfterMs / 1000) };
  const ofFile = file === undefined ? {} : { file };
  const known = { code, retryable, ...overWindow, ...budget, ...retryAfter, ...ofFile };
  return { status, error: known, ...times(turn, services) };
}

/**
 * What the log says of a fault. For a fault of a provider, its message is enough: the stack of this server does not help. An error that a
 * package threw is logged as well, because its stack names the place in that package.
 */
function told(error: TurnError): object {
  const { cause } = error;
  if (!(cause instanceof ModelError)) return { error };
  const said = { reason: cause.message, ...cause.fields };
  return cause.cause === undefined ? said : { ...said, error: cause.cause };
}

/** With these codes the same message fails again, for nothing that its user can do. */
const lasting: ReadonlySet<TurnErrorCode> = new Set(['model_refused', 'model_misconfigured', 'model_quota_exceeded']);

/** Undefined for a Stop, which is no error. */
function errorOf(fault: unknown, stopped: StopReason | undefined): TurnError | undefined {
  if (fault instanceof TurnError) return fault;
  if (stopped !== undefined) return errorOfStop(stopped);
  if (fault instanceof ModelError) {
    const retryable = !lasting.has(fault.code) && fault.refused !== 'key';
    return new TurnError('failed', fault.code, fault.message, { cause: fault, retryable });
  }
  return new TurnError('failed', 'internal', 'an unexpected fault', { cause: fault, retryable: true });
}

function errorOfStop(reason: StopReason): TurnError | undefined {
  const cause = new TurnStopped(reason);
  if (reason === 'draining') return new TurnError('failed', 'server_draining', cause.message, { retryable: true });
  if (reason === 'interrupted') return new TurnError('failed', 'interrupted', cause.message, { retryable: true });
  return undefined;
}

function times({ startedAt, options, record }: LiveTurn, { calls }: TurnServices): Pick<End, 'at' | 'durationMs'> {
  const at = calls.clock.now();
  // Only the wall clock continues over a restart. It therefore measures a turn that was taken up.
  const durationMs = record.isReplay ? Math.max(0, at - options.askedAt) : calls.clock.elapsed() - startedAt;
  return { at, durationMs: Math.round(durationMs) };
}

/** Whether the reply itself says why the message was refused, so that no error is told beside it. */
export function isPolite({ code }: NonNullable<End['error']>): boolean {
  return code === 'out_of_scope';
}

/** What the user is told of a turn that was refused or failed. */
export function errorEvent(
  { code, retryable, isOverWindow, budget, retryAfter, file }: NonNullable<End['error']>,
  services: TurnServices,
): Extract<TurnEvent, { readonly type: 'error-occurred' }> {
  const { texts } = services.calls;
  // A key that the provider refuses is the only `model_unavailable` fault that is not retryable.
  const isKeyRefused = code === 'model_unavailable' && !retryable;
  if (isOverWindow === true) return { type: 'error-occurred', code, message: texts.messageOverWindow, retryable };
  if (retryAfter !== undefined) {
    return { type: 'error-occurred', code, message: tryAgainText(texts, retryAfter), retryable, retryAfter };
  }
  if (file !== undefined) {
    const values = { name: file.name, why: texts.unreadable[file.why] };
    return { type: 'error-occurred', code, message: errorText(texts, code, values), retryable };
  }
  if (budget !== undefined) return { ...budgetEvent(budget, { texts, retryable }), code };
  const message = errorText(texts, isKeyRefused ? 'model_misconfigured' : code, { max: limitOf(code, services) });
  return { type: 'error-occurred', code, message, retryable };
}

/** A retryable refusal means that the budget is not used up: the rest of it is held for other calls. */
function budgetEvent(
  budget: RemainingBudget,
  { texts, retryable }: { readonly texts: ServerTexts; readonly retryable: boolean },
): Omit<Extract<TurnEvent, { readonly type: 'error-occurred' }>, 'code'> {
  const when = momentText(texts, budget.resetsAt);
  const message = retryable ? texts.budgetHeld : errorText(texts, 'budget_exceeded', { when });
  return { type: 'error-occurred', message, retryable, budget };
}

/** The number that the text of a code names. */
function limitOf(code: TurnErrorCode, { maxMessageLength, images, files, calls }: TurnServices): string {
  const { texts } = calls;
  if (code === 'too_many_images') return String(images.maxImagesPerMessage);
  if (code === 'image_too_large') return megabytes(images.maxImageBytes, texts);
  if (code === 'too_many_files') return String(files?.settings.maxFilesPerMessage ?? 0);
  if (code === 'file_too_large') return megabytes(files?.settings.maxFileBytes ?? 0, texts);
  return String(maxMessageLength);
}

/** A limit as users know sizes: in megabytes, as their language writes numbers. Two decimals are enough for any useful limit. */
function megabytes(bytes: number, { locale }: ServerTexts): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }).format(Math.max(0.01, bytes / 1024 / 1024));
}
