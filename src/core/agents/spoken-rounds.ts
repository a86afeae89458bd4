import type { StepRecord } from '../record/step-record.ts';
import { type RecordedOutcome, type ShownByCall, shownKey } from '../tools/tool-outcome.ts';
import type { RecordedRemote } from './ask-remote.ts';
import type { RecordedReply } from './recorded-reply.ts';
import type { Unsaid } from './say-for.ts';

/** What an agent has said in one round, and what its calls show to the user. */
export interface RecordedRound {
  /** The beginning of its keys. */
  readonly at: string;
  /** The key of the step in which it was said. */
  readonly key: string;
  /** Undefined for the coordinator. */
  readonly agent: string | undefined;
  readonly text: string;
  readonly shown: readonly { readonly key: string; readonly event: ShownByCall }[];
}

/**
 * What all agents have said to the user, round by round, in the order in which they said it, whether it was shown or not. A replacement
 * stands in the place of everything that was said before it. Rounds without words for the user are listed too, because their calls may
 * show something.
 */
export function spokenRounds(record: Pick<StepRecord, 'entries'>): readonly RecordedRound[] {
  const rounds = new Map<string, RecordedRound>();
  for (const [key, value] of record.entries()) {
    const [, callAt, callId] = /^(coordinator\/.*)\/call\/([^/]+)$/.exec(key) ?? [];
    const [, at, kind] = /^(coordinator\/.*)\/(model|remote|spoken|replaced)$/.exec(key) ?? [];
    if (callAt !== undefined && callId !== undefined)
      addShown(rounds, callAt, { key, outcome: value as RecordedOutcome }); // recorded by `invokeTool`
    if (at === undefined || kind === undefined) continue;
    if (kind === 'replaced')
      replace(rounds, at, value as string); // recorded by `HonestReply`
    else rounds.set(at, { at, key, shown: [], ...wordsOf(at, kind, value) });
  }
  return [...rounds.values()];
}

function wordsOf(at: string, kind: string, value: unknown): Pick<RecordedRound, 'agent' | 'text'> {
  if (kind === 'spoken') return value as Unsaid; // recorded by `sayFor`
  const { speaker, text } = value as RecordedReply | RecordedRemote; // recorded by `askModel` and `askRemote`
  const isCoordinator = kind === 'model' && /^coordinator\/\d+$/.test(at);
  const isShown = (speaker !== undefined || isCoordinator) && text.trim() !== '';
  return { agent: speaker, text: isShown ? text : '' };
}

function addShown(
  rounds: Map<string, RecordedRound>,
  at: string,
  { key, outcome }: { readonly key: string; readonly outcome: RecordedOutcome },
): void {
  const round = rounds.get(at);
  if (round === undefined || outcome.shown === undefined) return;
  const shown = outcome.shown.map((event, index) => ({ key: shownKey(key, index), event }));
  rounds.set(at, { ...round, shown: [...round.shown, ...shown] });
}

function replace(rounds: Map<string, RecordedRound>, at: string, text: string): void {
  for (const [key, round] of rounds) rounds.set(key, { ...round, text: key === at ? text : '' });
}
