import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeMachine } from '../../bench/report/machine.ts';
import type { Fault } from './fault-plan.ts';
import type { PlayedPlan } from './played-rounds.ts';
import { type FaultKind, faultKinds } from './told.ts';

const page = join(import.meta.dirname, '../../../docs/reference/faults.md');
const begin = '<!-- faults: begin -->';
const end = '<!-- faults: end -->';

const titles: Readonly<Record<Fault['kind'], string>> = {
  kill: 'SIGKILL when something happens',
  'kill at a write': 'SIGKILL before or after a write, sync or truncation of its database',
  'kill while starting': 'SIGKILL while it starts',
  SIGTERM: 'SIGTERM, in half of the rounds SIGKILL soon after it',
  ENOSPC: 'Every write answers "no space left"',
  EROFS: 'Every write answers "read-only file system"',
  EIO: 'Every write and sync answers "input/output error"',
  'EIO of syncs': 'Every sync answers "input/output error", writes succeed',
  'full disk': 'A file system that is full',
  'foreign lock': 'Another process locks the database',
  'deleted folder': 'The folder is deleted',
};

const meanings: Readonly<Record<FaultKind, string>> = {
  unapproved: 'Writes that ran without an approval',
  doubled: 'Writes that ran twice',
  untrue: 'Told and not true, or told otherwise later',
  untold: 'Ends and outcomes that no later process tells',
  disorder: 'Gaps, two events under one number, two ends of a turn',
  unavailable: 'Other answers than 503, a silent `/healthz`, a late `/readyz`',
};

/** Counts what was tried and what was found. */
export class Figures {
  readonly #rounds = new Map<Fault['kind'], number>();
  readonly #faults = new Map<FaultKind, number>();
  #plans = 0;
  #turns = { hub: 0, sse: 0 };
  #questions = 0;
  #answers = 0;
  #runs = 0;
  #native = 0;

  add({ told, faults }: PlayedPlan): void {
    this.#plans += 1;
    if (told.plan.hitlMode === 'Native') this.#native += told.plan.lives.length;
    for (const { fault } of told.plan.lives) this.#rounds.set(fault.kind, (this.#rounds.get(fault.kind) ?? 0) + 1);
    for (const { kind } of faults) this.#faults.set(kind, (this.#faults.get(kind) ?? 0) + 1);
    for (const { channel } of told.turns) this.#turns[channel] += 1;
    this.#questions += told.questions.length;
    this.#answers += told.answers.length;
    this.#runs += told.ledger.filter(({ what }) => what === 'began').length;
  }

  get rounds(): number {
    return [...this.#rounds.values()].reduce((sum, count) => sum + count, 0);
  }

  /** The tables, in Markdown. */
  render(): string {
    const { date, processor, cores, memoryGiB, system, node } = describeMachine();
    const rows = Object.entries(titles).map(([kind, title]) => [title, count(this.#rounds.get(kind as Fault['kind']))]);
    const found = faultKinds.map((kind) => [meanings[kind], count(this.#faults.get(kind))]);
    return [
      `Played ${date} on ${processor}, ${cores} cores, ${memoryGiB} GiB, ${system}, Node ${node.slice(1)}: ${count(this.rounds)} rounds ` +
        `(${count(this.#native)} Native, ${count(this.rounds - this.#native)} Blocking) on ${count(this.#plans)} folders, ` +
        `${count(this.#turns.hub)} turns on the hub and ${count(this.#turns.sse)} over server-sent events, ` +
        `${count(this.#questions)} questions, ${count(this.#answers)} answers, stops and look-ups, ${count(this.#runs)} writes that ran.`,
      table(['What befell the process', 'Rounds'], rows),
      table(['What must not be', 'Found'], found),
    ].join('\n\n');
  }

  /** Writes the tables into docs/reference/faults.md. */
  write(): void {
    const before = readFileSync(page, 'utf8');
    const start = before.indexOf(begin);
    const stop = before.indexOf(end);
    if (start < 0 || stop < start) throw new Error(`${page} has no markers "${begin}" and "${end}"`);
    writeFileSync(page, `${before.slice(0, start + begin.length)}\n\n${this.render()}\n\n${before.slice(stop)}`);
  }
}

function count(value = 0): string {
  return value.toLocaleString('en-US');
}

/** Columns are padded, as the formatter does it. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
