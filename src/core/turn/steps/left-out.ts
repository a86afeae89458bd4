import { oneLine } from '../../base/one-line.ts';
import type { ServerTexts } from '../../language/server-texts.ts';
import type { TurnWarning } from '../../request/turn-request.ts';
import type { LiveTurn } from '../live/live-turn.ts';
import type { TurnServices } from '../live/turn-services.ts';

/** Most attachments that one sentence names. */
const maxNames = 5;
/** Most characters that are said of one name. */
const maxNameLength = 100;

/**
 * Tells the user what was left out of the message, and why: one notice for each reason (contract/errors.md, `image_type_dropped`). A turn of
 * an earlier version does not know the reason, and tells no more than `TurnStarted`.
 */
export function tellLeftOut({ events, request }: LiveTurn, { calls }: Pick<TurnServices, 'calls'>): void {
  const { warnings = [] } = request.message;
  const known = warnings.filter(({ reason }) => reason !== undefined);
  const byReason = Map.groupBy(known, ({ code, reason = 'type' }) => `${code}/${reason}` as const);
  for (const [key, same] of byReason) {
    const [{ code, reason }] = same as [TurnWarning]; // a group has at least one
    if (reason === undefined) continue;
    const message = sentence(calls.texts.leftOut[textOf({ code, reason })], same);
    events.once(`started/left-out/${key}`, { type: 'error-occurred', code, message, retryable: false, reason });
  }
}

function textOf({ code, reason }: Required<Pick<TurnWarning, 'code' | 'reason'>>): keyof ServerTexts['leftOut'] {
  if (reason === 'disabled') return 'disabled';
  if (reason === 'no_image') return 'noImage';
  return code === 'file_type_dropped' ? 'fileType' : 'imageType';
}

/** Attachments without a name, and those beyond the first few, are counted. */
function sentence(text: string, same: readonly TurnWarning[]): string {
  const named = same.map(({ name = '' }) => oneLine(name).slice(0, maxNameLength)).filter((name) => name !== '');
  if (named.length === 0) return text.replace(/\s?[:：]\s?\{names\}/u, '');
  const shown = named.slice(0, maxNames);
  const others = same.length - shown.length;
  const names = [...shown, ...(others > 0 ? [`+${String(others)}`] : [])].join(', ');
  return text.replace('{names}', () => names);
}
