import type { RecordSealer } from '../ports/record-sealer.ts';
import type { KeptTurn } from '../ports/turn-store.ts';
import { readLines, type RecordLine } from './record-line.ts';
import type { TurnHeader } from './turn-header.ts';

/** A kept turn, opened so that it can go on. */
export interface OpenedTurn {
  readonly header: TurnHeader;
  readonly lines: readonly RecordLine[];
  /** The epoch under which the store takes what this process writes. */
  readonly epoch: number;
}

/**
 * Opens what the store has kept of a turn.
 * @throws Error when its key is gone, or what is stored was changed.
 */
export function openTurn({ turnId, header, batches, epoch }: KeptTurn, sealer: Pick<RecordSealer, 'open'>): OpenedTurn {
  return {
    header: openHeader({ turnId, header }, sealer),
    lines: batches.flatMap(({ text }) => readLines(sealer.open(text, turnId))),
    epoch,
  };
}

/**
 * Opens the header of a kept turn alone.
 * @throws Error when its key is gone, or what is stored was changed.
 */
export function openHeader(
  { turnId, header }: Pick<KeptTurn, 'turnId' | 'header'>,
  sealer: Pick<RecordSealer, 'open'>,
): TurnHeader {
  return JSON.parse(sealer.open(header, turnId)) as TurnHeader; // authenticated: sealed by this server
}

/** The steps of a record. */
export function stepsOf(lines: readonly RecordLine[]): readonly (readonly [string, unknown])[] {
  return lines.flatMap((line) => (line[0] === 'step' ? [[line[1], line[2]] as const] : []));
}
