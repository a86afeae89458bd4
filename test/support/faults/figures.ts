import { describeMachine } from '../../bench/report/machine.ts';
import { markdownTable } from '../markdown-table.ts';
import { writeBetweenMarkers } from '../written-page.ts';
import type { Fault } from './fault-plan.ts';
import type { PlayedPlan } from './played-rounds.ts';
import { type FaultKind, faultKinds } from './told.ts';

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

/** Counts the attempts and the findings. */
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

  /** The tables in Markdown. */
  render(): string {
    const { date, processor, cores, memoryGiB, system, node } = describeMachine();
    const rows = Object.entries(titles).map(([kind, title]) => [title, count(this.#rounds.get(kind as Fault['kind']))]);
    const found = faultKinds.map((kind) => [meanings[kind], count(this.#faults.get(kind))]);
    return [
      `Played ${date} on ${processor}, ${cores} cores, ${memoryGiB} GiB, ${system}, Node ${node.slice(1)}: ${count(this.rounds)} rounds ` +
        `(${count(this.#native)} Native, ${count(this.rounds - this.#native)} Blocking) on ${count(this.#plans)} folders, ` +
        `${count(this.#turns.hub)} turns on the hub and ${count(this.#turns.sse)} over server-sent events, ` +
        `${count(this.#questions)} questions, ${count(this.#answers)} answers, stops and look-ups, ${count(this.#runs)} writes that ran.`,
      markdownTable(['What befell the process', 'Rounds'], rows),
      markdownTable(['What must not be', 'Found'], found),
    ].join('\n\n');
  }

  /** Writes the tables into docs/reference/faults.md. */
  write(): void {
    writeBetweenMarkers('faults.md', 'faults', this.render());
  }
}

function count(value = 0): string {
  return value.toLocaleString('en-US');
}
