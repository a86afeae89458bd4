import { existsSync, readFileSync } from 'node:fs';

/** One line that an action wrote: it began to change something, or has done so. */
export interface LedgerLine {
  readonly what: 'began' | 'ended';
  readonly action: string;
  /** The id of the call in the plan. */
  readonly id: string;
  readonly callId: string;
  readonly turnId: string;
  readonly userId: string;
  /** In the time of clock.ts. */
  readonly at: number;
}

/** Reads what really ran. The action itself appended and synced each line, so the lines survive any kill. */
export function readLedger(file: string): readonly LedgerLine[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LedgerLine);
}

/**
 * The text of a plugin whose writes append to the ledger. Before and after its change an action asks the gate, which may kill the process
 * at that moment. An action that was stopped before its beginning does not begin.
 */
export function ledgerPlugin({ ledger, gate }: { readonly ledger: string; readonly gate: string }): string {
  return `
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
const pass = (point) => fetch(${JSON.stringify(gate)} + point, { method: 'POST' }).then((answer) => answer.text());
const note = (line) => {
  const file = openSync(${JSON.stringify(ledger)}, 'a', 0o600);
  writeSync(file, JSON.stringify({ ...line, at: Number(process.hrtime.bigint() / 1000n) }) + '\\n');
  fsyncSync(file);
  closeSync(file);
};
const parameters = {
  type: 'object',
  properties: { id: { type: 'string' } },
  required: ['id'],
  additionalProperties: false,
};
const write = (name, more, finish) => ({
  name,
  description: 'Does ' + name + '.',
  parameters,
  ...more,
  execute: async ({ id }, { callId, turnId, user, signal }) => {
    const line = { action: name, id, callId, turnId, userId: user.id };
    await pass('/about-to-run');
    signal.throwIfAborted();
    note({ what: 'began', ...line });
    await finish();
    note({ what: 'ended', ...line });
    await pass('/has-run');
    if (name === 'failing_change') throw new Error('it could not be changed');
    return { changed: id };
  },
});
export default {
  name: 'ledger',
  actions: [
    write('change', {}, () => undefined),
    write('slow_change', {}, () => wait(120)),
    write('failing_change', { requiresConfirmation: true }, () => undefined),
    write('unasked_change', { requiresConfirmation: false }, () => undefined),
    { name: 'look', description: 'Looks.', parameters, readOnly: true, execute: ({ id }) => ({ seen: id }) },
  ],
};
`;
}
