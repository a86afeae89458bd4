import { reduceHistory } from '../../history/reduce-history.ts';
import type { KeptMessage } from '../../request/kept-message.ts';
import type { LiveTurn } from '../live/live-turn.ts';
import { trimHistory } from './trim-history.ts';
import type { TurnServices } from '../live/turn-services.ts';

/** The step that holds the indexes of the messages that a reducer keeps. */
const key = 'history/reduced';

/**
 * Asks the reducer of a plugin which messages of the conversation before this turn are kept (contract/sessions.md#a-reducer-of-your-own).
 * Undefined where there is nothing to ask. A turn that continues from a record keeps its recorded choice.
 * @throws TurnStopped after a Stop.
 */
export function reduceOnce(turn: LiveTurn, services: TurnServices): Promise<unknown> | undefined {
  const { record, options, signal } = turn;
  const reducer = services.history?.reducer;
  const isKnown = record.has(key);
  if (!isKnown && (reducer === undefined || record.isReplay || options.history.length === 0)) return undefined;
  return record.step(key, async () => {
    turn.requireRunning();
    const history = options.history.map(({ message }) => message);
    const otherwiseFrom = history.length - trimHistory(history, services.maxSessionMessages).length;
    if (reducer === undefined) return history.map((_message, index) => index);
    return reduceHistory(history, { reducer, otherwiseFrom, signal, log: services.calls.log });
  });
}

/** The conversation before this turn, without what a reducer has left out. */
export function historyBefore({ record, options }: Pick<LiveTurn, 'record' | 'options'>): readonly KeptMessage[] {
  return reducedBy({ record })?.flatMap((index) => options.history[index] ?? []) ?? options.history;
}

/** The indexes of the messages before this turn that are kept; undefined where no reducer was asked. */
export function reducedBy({ record }: Pick<LiveTurn, 'record'>): readonly number[] | undefined {
  return record.get(key) as readonly number[] | undefined; // recorded by `reduceOnce`
}
