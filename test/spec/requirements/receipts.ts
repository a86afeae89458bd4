import type { Requirement } from '../requirement.ts';

const unit = 'test/unit/core/turn/receipts.test.ts';
const integration = 'test/integration/receipts.test.ts';

const by = (id: string, ...titles: readonly (readonly [string, string])[]): Requirement => ({
  id,
  tests: titles.map(([file, title]) => ({ file, title })),
});

/** The statements of `docs/contract` about what was really done. */
export const receiptRequirements: readonly Requirement[] = [
  by(
    'wire-2-80',
    [unit, 'tell of a call %s'],
    [integration, 'end a turn of server-sent events, whatever the reply says'],
    [integration, 'end a turn of the hub, and stand in the conversation as it is read, opened and restored'],
    [integration, 'end the turn as they do on the hub'],
  ),
  by('wire-2-81', [unit, 'say nothing of %s']),
  by('wire-2-82', [unit, 'of what a page does tell of %s'], [unit, 'tell of a call %s']),
  by(
    'wire-2-83',
    [unit, 'tell of every such call of a turn, in the order in which they ended'],
    [unit, 'tell of a call %s'],
  ),
  by(
    'wire-2-84',
    [integration, 'end a turn of server-sent events, whatever the reply says'],
    [unit, 'are the same when a next process goes on with the turn: %s'],
    [unit, 'tell of a write that nobody was asked about and that a crash interrupted'],
    [unit, 'are told by a copy of the turn, and below a conversation whose turn had nothing left to ask'],
  ),
  by(
    'wire-2-85',
    [unit, 'are at most 100: of more, the newest of each action and status stay, and then the newest'],
    [unit, 'cut a title that is too long'],
  ),
  by('wire-2-86', [
    integration,
    'end a turn of the hub, and stand in the conversation as it is read, opened and restored',
  ]),
];
